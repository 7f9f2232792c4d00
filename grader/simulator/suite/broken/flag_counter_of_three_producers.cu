// check: --kernel k --grid 1 --block 128 --arg int32[128]=index --arg int32[128]=zeros
// expect: race -- three warps count, and the reader waits for two of them
// line: 26
__global__ void k(const int* x, int* y) {
  __shared__ int s[128];
  __shared__ int count;
  const int t = threadIdx.x, w = t / 32;
  if (t == 0) count = 0;
  __syncthreads();
  if (w < 3) {
    int v = x[t];
    for (int i = 0; i < 20; ++i) v = v * v + i;
    s[t] = v;
    __syncwarp();
    if (t % 32 == 0) {
      __threadfence_block();
      atomicAdd(&count, 1);
    }
  } else {
    if (t % 32 == 0) {
      while (atomicAdd(&count, 0) < 2) {
      }
      __threadfence_block();
    }
    __syncwarp();
    y[t] = s[t % 32] + s[32 + t % 32] + s[64 + t % 32];
  }
}
