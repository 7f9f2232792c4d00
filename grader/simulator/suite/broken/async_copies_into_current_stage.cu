// check: --kernel PairSums --grid 2 --block 64 --arg float32[640]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// expect: race, unfinished-copy -- the next tile goes to the stage in use
// line: 20, 23
// Sum of neighbours over a row of tiles.
#include <cuda_pipeline.h>

__global__ void PairSums(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    float* current = buffer[t % 2];
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&current[tid], &mine[(t + 1) * 64 + tid], sizeof(float));
      __pipeline_commit();
    }
    sum += current[tid] + current[(tid + 1) % 64];
  }
  out[blockIdx.x * 64 + tid] = sum;
}
