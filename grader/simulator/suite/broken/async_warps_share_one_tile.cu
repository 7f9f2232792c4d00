// check: --kernel WarpRows --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- the tile has no row for each warp, so both fill the same cells
// line: 12
// Each warp should reverse 32 values.
#include <cuda_pipeline.h>

__global__ void WarpRows(const float* x, float* out) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 64 + threadIdx.x;
  __pipeline_memcpy_async(&tile[lane], &x[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[31 - lane];
}
