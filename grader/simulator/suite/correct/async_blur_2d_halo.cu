// check: --kernel Blur --grid 3,2 --block 16,8 --arg float32[15,41]=uniform
//        --arg float32[15,41]=unwritten
// 3x3 box sum of an image; the cells of the tile with its halo are dealt to the threads.
#include <cuda_pipeline.h>

constexpr int kWidth = 41;
constexpr int kHeight = 15;
constexpr int kBlockX = 16;
constexpr int kBlockY = 8;
constexpr int kTileX = kBlockX + 2;
constexpr int kTileY = kBlockY + 2;

__global__ void Blur(const float* image, float* blurred) {
  __shared__ float tile[kTileY][kTileX];
  const int tid = threadIdx.y * kBlockX + threadIdx.x;
  for (int cell = tid; cell < kTileX * kTileY; cell += kBlockX * kBlockY) {
    const int row = blockIdx.y * kBlockY + cell / kTileX - 1;
    const int col = blockIdx.x * kBlockX + cell % kTileX - 1;
    const int safe_row = max(0, min(row, kHeight - 1));
    const int safe_col = max(0, min(col, kWidth - 1));
    __pipeline_memcpy_async(&tile[cell / kTileX][cell % kTileX],
                            &image[safe_row * kWidth + safe_col], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int row = blockIdx.y * kBlockY + threadIdx.y;
  const int col = blockIdx.x * kBlockX + threadIdx.x;
  if (row >= kHeight || col >= kWidth) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  blurred[row * kWidth + col] = sum / 9.0f;
}
