// check: --kernel RowDots --grid 3 --block 32 --arg float32[3,120]=uniform
//        --arg float32[120]=uniform --arg float32[3]=unwritten --arg int32=118
// Rows of 118 values are padded to 128 with zeros, two of them in the middle of a piece.
#include <cuda_pipeline.h>

__device__ void CopyPiece(float* tile, const float* row, int first, int n) {
  const int inside = max(0, min(4, n - first));
  const float* source = inside > 0 ? row + first : row;
  __pipeline_memcpy_async(tile + first, source, 16, (4 - inside) * sizeof(float));
}

__global__ void RowDots(const float* matrix, const float* vector, float* dots, int n) {
  __shared__ __align__(16) float row[128];
  __shared__ __align__(16) float weights[128];
  const int lane = threadIdx.x;
  CopyPiece(row, matrix + blockIdx.x * 120, 4 * lane, n);
  CopyPiece(weights, vector, 4 * lane, n);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  float sum = 0.0f;
  for (int j = lane; j < 128; j += 32) sum += row[j] * weights[j];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) dots[blockIdx.x] = sum;
}
