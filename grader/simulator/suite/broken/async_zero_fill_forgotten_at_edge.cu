// check: --kernel Matmul --grid 2,2 --block 8,8 --arg float32[16,20]=uniform
//        --arg float32[20,16]=uniform --arg float32[16,16]=unwritten --arg int32=20 --arg int32=16
// expect: out-of-bounds -- the last tile of B has rows that B does not have; only A is padded
// line: 22
// C = A * B; eight does not divide the inner length of 20.
#include <cuda_pipeline.h>

constexpr int kTile = 8;

__global__ void Matmul(const float* a, const float* b, float* c, int inner, int cols) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < inner; k0 += kTile) {
    const bool inside = k0 + tx < inner;
    const float* source = inside ? &a[row * inner + k0 + tx] : a;
    __pipeline_memcpy_async(&a_tile[ty][tx], source, 4, inside ? 0 : 4);
    __pipeline_memcpy_async(&b_tile[ty][tx], &b[(k0 + ty) * cols + col], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  c[row * cols + col] = sum;
}
