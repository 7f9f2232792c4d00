// check: --kernel Blur --grid 2,2 --block 8,8 --arg float32[18,18]=uniform
//        --arg float32[16,16]=unwritten
// expect: uninitialized-read -- only the lower halo rows are copied, the right columns are not
// line: 21
// 3x3 box sum of an image that is two pixels larger than the output.
#include <cuda_pipeline.h>

__global__ void Blur(const float* image, float* out) {
  __shared__ float tile[10][10];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const float* corner = image + blockIdx.y * 8 * 18 + blockIdx.x * 8;
  for (int row = ty; row < 10; row += 8) {
    __pipeline_memcpy_async(&tile[row][tx], &corner[row * 18 + tx], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[ty + dy][tx + dx];
  }
  out[(blockIdx.y * 8 + ty) * 16 + blockIdx.x * 8 + tx] = sum;
}
