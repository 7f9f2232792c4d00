// check: --kernel MirrorSums --grid 2 --block 64 --arg float32[768]=uniform
//        --arg float32[128]=unwritten --arg int32=6
// expect: race -- a stage is filled again while others may still read it
// line: 18, 23
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
    if (t + 1 < tiles) {
      const int next = (t + 1) * 64 + tid;
      __pipeline_memcpy_async(&buffer[(t + 1) % 2][tid], &mine[next], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += buffer[t % 2][63 - tid];
  }
  out[blockIdx.x * 64 + tid] = sum;
}
