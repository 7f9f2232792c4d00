// check: --kernel RowMaxima --grid 2 --block 8,16 --arg float32[32,32]=uniform
//        --arg float32[32]=unwritten
// Each thread of a two-dimensional block copies four floats of a row.
#include <cuda_pipeline.h>

__global__ void RowMaxima(const float* matrix, float* maxima) {
  __shared__ alignas(16) float tile[16][36];
  const int row = blockIdx.x * 16 + threadIdx.y;
  const int col = 4 * threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.y][col], &matrix[row * 32 + col], 4 * sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x == 0) {
    float maximum = tile[threadIdx.y][0];
    for (int j = 1; j < 32; ++j) maximum = fmaxf(maximum, tile[threadIdx.y][j]);
    maxima[row] = maximum;
  }
}
