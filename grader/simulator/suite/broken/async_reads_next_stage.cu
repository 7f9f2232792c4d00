// check: --kernel Maxima --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: unfinished-copy -- the stage that is read is the one that is being filled
// line: 24
// Running maximum over neighbours in a row of tiles.
#include <cuda_pipeline.h>

__global__ void Maxima(const float* x, float* out, int tiles) {
  __shared__ float buffer[2][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&buffer[0][tid], &mine[tid], sizeof(float));
  __pipeline_commit();
  float maximum = -1e30f;
  int stage = 0;
  for (int t = 0; t < tiles; ++t) {
    stage ^= 1;
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&buffer[stage][tid], &mine[(t + 1) * 64 + tid], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    maximum = fmaxf(maximum, fmaxf(buffer[stage][tid], buffer[stage][tid ^ 1]));
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = maximum;
}
