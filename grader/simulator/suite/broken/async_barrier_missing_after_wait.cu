// check: --kernel Transpose --grid 2,2 --block 16,16 --arg float32[32,32]=uniform
//        --arg float32[32,32]=unwritten
// expect: race -- each thread waits for its own copies, but not for those of the others
// line: 14, 17
// Transpose of a matrix through a padded tile.
#include <cuda_pipeline.h>

__global__ void Transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty;
  const int col = blockIdx.x * 16 + tx;
  __pipeline_memcpy_async(&tile[ty][tx], &in[row * 32 + col], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[(blockIdx.x * 16 + ty) * 32 + blockIdx.y * 16 + tx] = tile[tx][ty];
}
