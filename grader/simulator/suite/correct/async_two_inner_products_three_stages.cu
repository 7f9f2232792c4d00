// check: --kernel Products --grid 2 --block 32 --arg float32[320]=uniform
//        --arg float32[320]=uniform --arg float32[64]=unwritten --arg int32=5
// Two arrays share one group a stage; the stage is freed by a barrier before it is filled again.
#include <cuda_pipeline.h>

struct Stage {
  float a[32];
  float b[32];
};

__device__ void Fill(Stage* stage, const float* a, const float* b, int offset) {
  __pipeline_memcpy_async(&stage->a[threadIdx.x], a + offset + threadIdx.x, sizeof(float));
  __pipeline_memcpy_async(&stage->b[threadIdx.x], b + offset + threadIdx.x, sizeof(float));
}

__global__ void Products(const float* a, const float* b, float* out, int tiles) {
  __shared__ Stage stages[3];
  const int start = blockIdx.x * tiles * 32;
  int issued = 0;
  for (; issued < 3 && issued < tiles; ++issued) {
    Fill(&stages[issued], a, b, start + issued * 32);
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(issued - t - 1);
    __syncthreads();
    const Stage& stage = stages[t % 3];
    sum += stage.a[31 - threadIdx.x] * stage.b[threadIdx.x / 2];
    __syncthreads();
    if (issued < tiles) {
      Fill(&stages[issued % 3], a, b, start + issued * 32);
      __pipeline_commit();
      ++issued;
    }
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}
