// check: --kernel Alternate --grid 2 --block 64 --arg float32[640]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// expect: unfinished-copy -- the peeled last tile is used without waiting for its group
// line: 24
// Alternating sum of mirrored tiles; the last tile is peeled off the loop.
#include <cuda_pipeline.h>

__global__ void Alternate(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  int t = 0;
  for (; t + 1 < tiles; ++t) {
    __pipeline_memcpy_async(&buffer[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum = buffer[t % 2][63 - tid] - sum;
    __syncthreads();
  }
  sum = buffer[t % 2][63 - tid] - sum;
  out[blockIdx.x * 64 + tid] = sum;
}
