// check: --kernel MirrorSums --grid 3 --block 32 --arg float32[192]=uniform
//        --arg float32[96]=unwritten --arg int32=2
// Four stages for only two tiles: the prologue stops early but commits all its groups.
#include <cuda_pipeline.h>

constexpr int kStages = 4;

__global__ void MirrorSums(const float* x, float* out, int tiles) {
  __shared__ float buffer[kStages][32];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 32;
  int fetched = 0;
  for (; fetched < kStages - 1; ++fetched) {
    if (fetched < tiles) {
      __pipeline_memcpy_async(&buffer[fetched][tid], &mine[fetched * 32 + tid], sizeof(float));
    }
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t, ++fetched) {
    if (fetched < tiles) {
      __pipeline_memcpy_async(&buffer[fetched % kStages][tid], &mine[fetched * 32 + tid],
                              sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(kStages - 1);
    __syncthreads();
    sum += buffer[t % kStages][31 - tid];
    __syncthreads();
  }
  out[blockIdx.x * 32 + tid] = sum;
}
