// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[32]=zeros
// __syncwarp() guarantees memory ordering among the participating threads, in global memory too.
__global__ void k(int* a, int* out) {
  const int t = threadIdx.x;
  a[t] = a[t] * 2;
  __syncwarp();
  out[t] = a[(t + 1) % 32];
}
