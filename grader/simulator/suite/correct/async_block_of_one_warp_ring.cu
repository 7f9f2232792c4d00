// check: --kernel Ring --grid 4 --block 32 --arg float32[768]=uniform
//        --arg float32[128]=unwritten --arg int32=6
// One warp a block: __syncwarp both before a stage is used and before it is filled again.
#include <cuda_pipeline.h>

__global__ void Ring(const float* x, float* out, int tiles) {
  __shared__ float ring[2][32];
  const int lane = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 32;
  __pipeline_memcpy_async(&ring[0][lane], &mine[lane], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < tiles - 1; ++t) {
    __pipeline_memcpy_async(&ring[~t & 1][lane], &mine[(t + 1) * 32 + lane], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncwarp();
    sum += ring[t & 1][(lane + 1) & 31];
    __syncwarp();
  }
  __pipeline_wait_prior(0);
  __syncwarp();
  sum += ring[(tiles - 1) & 1][(lane + 1) & 31];
  out[blockIdx.x * 32 + lane] = sum;
}
