// check: --kernel Matmul --grid 2,2 --block 8,8 --arg float32[16,32]=uniform
//        --arg float32[32,16]=uniform --arg float32[16,16]=unwritten --arg int32=32 --arg int32=16
// expect: unfinished-copy -- in the last step nothing is committed, but the wait still leaves one
// line: 33
// C = A * B with two stages.
#include <cuda_pipeline.h>

constexpr int kTile = 8;

__global__ void Matmul(const float* a, const float* b, float* c, int inner, int cols) {
  __shared__ float a_tile[2][kTile][kTile];
  __shared__ float b_tile[2][kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  const int steps = inner / kTile;
  __pipeline_memcpy_async(&a_tile[0][ty][tx], &a[row * inner + tx], 4);
  __pipeline_memcpy_async(&b_tile[0][ty][tx], &b[ty * cols + col], 4);
  __pipeline_commit();
  float sum = 0.0f;
  for (int s = 0; s < steps; ++s) {
    const int stage = s % 2;
    if (s + 1 < steps) {
      const int k = (s + 1) * kTile;
      __pipeline_memcpy_async(&a_tile[1 - stage][ty][tx], &a[row * inner + k + tx], 4);
      __pipeline_memcpy_async(&b_tile[1 - stage][ty][tx], &b[(k + ty) * cols + col], 4);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      sum += a_tile[stage][ty][k] * b_tile[stage][k][tx];
    }
    __syncthreads();
  }
  c[row * cols + col] = sum;
}
