// check: --kernel k --grid 2 --block 64 --arg int32[128]=zeros --arg int32=3
// The condition is the same for all threads of the block.
__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if ((i + blockIdx.x) % 2 == 0) {
      s[t] = i + t;
      __syncthreads();
      out[blockIdx.x * 64 + t] = s[(t + 1) % 64];
      __syncthreads();
    }
  }
}
