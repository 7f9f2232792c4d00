// check: --kernel k --grid 1 --block 64 --arg int32[256]=index --arg int32[64]=zeros
// expect: race -- the next pass copies into the stage that other threads may still read
// line: 12
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], in + t, 4);
  __pipeline_commit();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (i < 3) __pipeline_memcpy_async(&s[(i + 1) & 1][t], in + 64 * (i + 1) + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[i & 1][63 - t];
  }
  out[t] = sum;
}
