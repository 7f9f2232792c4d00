// check: --kernel MirrorSums --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: out-of-bounds, warning -- the guard lets a tile be fetched that does not exist
// line: 17
// Sum of mirrored tiles with two stages.
#include <cuda_pipeline.h>

__global__ void MirrorSums(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 <= tiles) {
      __pipeline_memcpy_async(&buffer[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += buffer[t % 2][63 - tid];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}
