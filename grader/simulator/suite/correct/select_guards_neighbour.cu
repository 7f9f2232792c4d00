// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// The neighbour before the first is not read.
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = (t > 0 ? s[t - 1] : 0) + (t < 63 ? s[t + 1] : 0);
}
