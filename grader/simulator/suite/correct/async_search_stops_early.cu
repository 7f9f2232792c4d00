// check: --kernel FirstLarge --grid 3 --block 64 --arg float32[1536]=uniform
//        --arg int32[3]=unwritten --arg int32=8
// Ends at the first tile with a large value; what was fetched ahead is waited for at the end.
#include <cuda_pipeline.h>

__global__ void FirstLarge(const float* x, int* found, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  int t = 0;
  for (; t < tiles; ++t) {
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&buffer[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    if (__syncthreads_or(buffer[t % 2][tid] + buffer[t % 2][tid] > 1.98f)) break;
  }
  __pipeline_wait_prior(0);
  if (tid == 0) found[blockIdx.x] = t;
}
