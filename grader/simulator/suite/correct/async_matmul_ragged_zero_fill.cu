// check: --kernel Matmul --grid 4,3 --block 8,8 --arg float32[19,21]=uniform
//        --arg float32[21,27]=uniform --arg float32[19,27]=unwritten
//        --arg int32=19 --arg int32=21 --arg int32=27
// C = A * B with sizes that no tile divides; cells outside are filled with zeros by the copy.
#include <cuda_pipeline.h>

constexpr int kTile = 8;

__device__ void CopyCell(float* target, const float* matrix, int row, int col, int rows, int cols) {
  const bool inside = row < rows && col < cols;
  const float* source = inside ? matrix + row * cols + col : matrix;
  __pipeline_memcpy_async(target, source, sizeof(float), inside ? 0 : sizeof(float));
}

__global__ void Matmul(const float* a, const float* b, float* c, int m, int inner, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < inner; k0 += kTile) {
    CopyCell(&a_tile[ty][tx], a, row, k0 + tx, m, inner);
    CopyCell(&b_tile[ty][tx], b, k0 + ty, col, inner, n);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
