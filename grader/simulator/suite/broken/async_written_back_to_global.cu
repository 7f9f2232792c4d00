// check: --kernel Flip --grid 1 --block 32 --arg float32[32]=uniform --arg float32[32]=unwritten
// only with: nvrtc
// expect: out-of-bounds -- the target of an asynchronous copy lies in shared memory, not in global
// line: 13
// A tile is loaded, and the result should travel back in the background.
#include <cuda_pipeline.h>

__global__ void Flip(const float* x, float* out) {
  __shared__ float tile[32];
  const int tid = threadIdx.x;
  tile[tid] = x[tid];
  __syncthreads();
  __pipeline_memcpy_async(&out[tid], &tile[31 - tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
