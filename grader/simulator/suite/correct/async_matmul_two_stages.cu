// check: --kernel Matmul --grid 3,2 --block 8,8 --arg float32[16,40]=uniform
//        --arg float32[40,24]=uniform --arg float32[16,24]=unwritten --arg int32=40 --arg int32=24
// C = A * B; the tiles of the next step travel while this step computes.
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
  __pipeline_memcpy_async(&a_tile[0][ty][tx], &a[row * inner + tx], sizeof(float));
  __pipeline_memcpy_async(&b_tile[0][ty][tx], &b[ty * cols + col], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  for (int s = 0; s < steps; ++s) {
    const int stage = s % 2;
    if (s + 1 < steps) {
      const int k = (s + 1) * kTile;
      __pipeline_memcpy_async(&a_tile[1 - stage][ty][tx], &a[row * inner + k + tx], sizeof(float));
      __pipeline_memcpy_async(&b_tile[1 - stage][ty][tx], &b[(k + ty) * cols + col], sizeof(float));
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[stage][ty][k] * b_tile[stage][k][tx];
    __syncthreads();
  }
  c[row * cols + col] = sum;
}
