// check: --kernel Ring --grid 2 --block 32 --arg float32[512]=uniform
//        --arg float32[64]=unwritten --arg int32=8
// expect: unfinished-copy -- it reads tile t + 1 where the wait covers only those up to t
// line: 24
// Sum of mirrored tiles with a ring of four stages.
#include <cuda_pipeline.h>

__global__ void Ring(const float* x, float* out, int tiles) {
  __shared__ float ring[4][32];
  const int lane = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 32;
  for (int t = 0; t < 3; ++t) {
    __pipeline_memcpy_async(&ring[t][lane], &mine[t * 32 + lane], sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(2);
    __syncthreads();
    if (t + 3 < tiles) {
      __pipeline_memcpy_async(&ring[(t + 3) % 4][lane], &mine[(t + 3) * 32 + lane], 4);
    }
    __pipeline_commit();
    sum += ring[(t + 1) % 4][31 - lane];
  }
  out[blockIdx.x * 32 + lane] = sum;
}
