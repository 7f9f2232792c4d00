// check: --kernel MovingSums --grid 2 --block 64 --arg float32[768]=uniform
//        --arg float32[128]=unwritten --arg int32=6
// expect: unfinished-copy -- the helper leaves as many groups as there are stages
// line: 14, 23
// A ring in a struct with member functions; the wait is one of them.
#include <cuda_pipeline.h>

template <int kStages>
struct Ring {
  float cells[kStages][64];

  __device__ void Begin(const float* source, int t, int tiles) {
    const int tid = threadIdx.x;
    if (t < tiles) __pipeline_memcpy_async(&cells[t % kStages][tid], &source[t * 64 + tid], 4);
    __pipeline_commit();
  }
  __device__ void Wait() {
    __pipeline_wait_prior(kStages);
    __syncthreads();
  }
  __device__ float Sum(int t) const {
    const float* stage = cells[t % kStages];
    return stage[threadIdx.x] + stage[63 - threadIdx.x];
  }
};

__global__ void MovingSums(const float* x, float* out, int tiles) {
  __shared__ Ring<4> ring;
  const float* mine = x + blockIdx.x * tiles * 64;
  for (int t = 0; t < 3; ++t) ring.Begin(mine, t, tiles);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    ring.Begin(mine, t + 3, tiles);
    ring.Wait();
    sum += ring.Sum(t);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
