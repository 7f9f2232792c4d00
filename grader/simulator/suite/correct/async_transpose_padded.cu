// check: --kernel Transpose --grid 3,2 --block 16,4 --arg float32[30,44]=uniform
//        --arg float32[44,30]=unwritten --arg int32=30 --arg int32=44
// Transpose of a ragged matrix; only cells inside the matrix are copied and read.
#include <cuda_pipeline.h>

constexpr int kTile = 16;

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int tx = threadIdx.x;
  const int col = blockIdx.x * kTile + tx;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
    const int row = blockIdx.y * kTile + y;
    if (row < rows && col < cols) {
      __pipeline_memcpy_async(&tile[y][tx], &in[row * cols + col], sizeof(float));
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int out_col = blockIdx.y * kTile + tx;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
    const int out_row = blockIdx.x * kTile + y;
    if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[tx][y];
  }
}
