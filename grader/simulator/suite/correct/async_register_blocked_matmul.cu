// check: --kernel Matmul --grid 2,2 --block 8,8 --arg float32[32,48]=uniform
//        --arg float32[48,32]=uniform --arg float32[32,32]=unwritten
// C = A * B with 16x16 tiles of C, four elements a thread, quads in three stages.
#include <cuda_pipeline.h>

constexpr int kInner = 48;
constexpr int kCols = 32;
constexpr int kStages = 3;
constexpr int kStep = 8;

struct alignas(16) Stage {
  float a[16][kStep];
  float b[kStep][16];
};

__device__ void Fill(Stage& stage, const float* a, const float* b, int step) {
  const int tid = threadIdx.y * 8 + threadIdx.x;
  const int k = step * kStep;
  if (tid < 32) {
    const float* row = a + (blockIdx.y * 16 + tid / 2) * kInner + k;
    __pipeline_memcpy_async(&stage.a[tid / 2][tid % 2 * 4], row + tid % 2 * 4, 16);
  } else {
    const int quad = tid - 32;
    const float* row = b + (k + quad / 4) * kCols + blockIdx.x * 16;
    __pipeline_memcpy_async(&stage.b[quad / 4][quad % 4 * 4], row + quad % 4 * 4, 16);
  }
}

__global__ void Matmul(const float* a, const float* b, float* c) {
  __shared__ Stage stages[kStages];
  constexpr int kSteps = kInner / kStep;
  for (int s = 0; s < kStages - 1; ++s) {
    Fill(stages[s], a, b, s);
    __pipeline_commit();
  }
  float sum[2][2] = {};
  for (int s = 0; s < kSteps; ++s) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    if (s + kStages - 1 < kSteps) Fill(stages[(s + kStages - 1) % kStages], a, b, s + kStages - 1);
    __pipeline_commit();
    const Stage& stage = stages[s % kStages];
    for (int k = 0; k < kStep; ++k) {
      for (int i = 0; i < 4; ++i) {
        const float left = stage.a[2 * threadIdx.y + i / 2][k];
        sum[i / 2][i % 2] += left * stage.b[k][2 * threadIdx.x + i % 2];
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 16 + 2 * threadIdx.y + i / 2;
    c[row * kCols + blockIdx.x * 16 + 2 * threadIdx.x + i % 2] = sum[i / 2][i % 2];
  }
}
