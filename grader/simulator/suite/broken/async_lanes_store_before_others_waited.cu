// check: --kernel ReverseRows --grid 2 --block 32 --arg float32[64]=uniform
// expect: race -- __syncwarp stands before the wait; the sources may still be read
// line: 11, 14, 15
// Each warp reverses its row in place.
#include <cuda_pipeline.h>

__global__ void ReverseRows(float* x) {
  __shared__ float row[32];
  const int lane = threadIdx.x;
  float* mine = x + blockIdx.x * 32;
  __pipeline_memcpy_async(&row[lane], &mine[lane], sizeof(float));
  __pipeline_commit();
  __syncwarp();
  __pipeline_wait_prior(0);
  mine[31 - lane] = row[lane];
}
