// check: --kernel ColumnSums --grid 2 --block 64 --arg float32[10,128]=uniform
//        --arg float32[128]=unwritten --arg int32=10
// Each thread uses only what it copied itself: it needs to wait, but needs no barrier.
#include <cuda_pipeline.h>

constexpr int kStages = 3;

__global__ void ColumnSums(const float* matrix, float* sums, int rows) {
  __shared__ float ring[kStages][64];
  const int tid = threadIdx.x;
  const int cols = gridDim.x * 64;
  const float* column = matrix + blockIdx.x * 64 + tid;
  for (int r = 0; r < kStages - 1; ++r) {
    __pipeline_memcpy_async(&ring[r][tid], column + r * cols, sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    __pipeline_wait_prior(kStages - 2);
    sum += ring[r % kStages][tid];
    const int next = r + kStages - 1;
    if (next < rows) {
      __pipeline_memcpy_async(&ring[next % kStages][tid], column + next * cols, sizeof(float));
    }
    __pipeline_commit();
  }
  sums[blockIdx.x * 64 + tid] = sum;
}
