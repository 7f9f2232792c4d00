// check: --kernel k --grid 1 --block 32 --arg int32[32]=index --arg int32[32]=zeros
// expect: race -- lanes exchange values through global memory without __syncwarp()
// line: 7
__global__ void k(int* a, int* out) {
  const int t = threadIdx.x;
  a[t] = a[t] * 2;
  out[t] = a[(t + 1) % 32];
}
