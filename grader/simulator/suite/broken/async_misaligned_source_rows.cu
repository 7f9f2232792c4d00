// check: --kernel RowHeads --grid 1 --block 8,8 --arg float32[8,33]=uniform
//        --arg float32[8]=unwritten
// expect: misaligned -- rows of 33 floats do not start at multiples of 16 bytes
// line: 12
// Sum of the first 32 values of each row.
#include <cuda_pipeline.h>

__global__ void RowHeads(const float* matrix, float* sums) {
  __shared__ alignas(16) float tile[8][32];
  const int row = threadIdx.y;
  const int col = 4 * threadIdx.x;
  __pipeline_memcpy_async(&tile[row][col], &matrix[row * 33 + col], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int j = 0; j < 32; ++j) sum += tile[row][j];
    sums[row] = sum;
  }
}
