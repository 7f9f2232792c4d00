// check: --kernel Planes --grid 1 --block 8,8 --arg float32[640]=uniform
//        --arg float32[640]=zeros
// March through the planes of a volume: three planes are in use while the fourth travels.
#include <cuda_pipeline.h>

__global__ void Planes(const float* in, float* out) {
  __shared__ float planes[4][8][8];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int own = y * 8 + x;
  for (int z = 0; z < 3; ++z) {
    __pipeline_memcpy_async(&planes[z][y][x], &in[z * 64 + own], sizeof(float));
  }
  __pipeline_commit();
  for (int z = 1; z < 9; ++z) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (z + 2 < 10) {
      __pipeline_memcpy_async(&planes[(z + 2) % 4][y][x], &in[(z + 2) * 64 + own], sizeof(float));
      __pipeline_commit();
    }
    if (x > 0 && x < 7 && y > 0 && y < 7) {
      const auto& middle = planes[z % 4];
      out[z * 64 + own] = middle[y][x - 1] + middle[y][x + 1] + middle[y - 1][x] +
                          middle[y + 1][x] + planes[(z - 1) % 4][y][x] + planes[(z + 1) % 4][y][x] -
                          6.0f * middle[y][x];
    }
  }
}
