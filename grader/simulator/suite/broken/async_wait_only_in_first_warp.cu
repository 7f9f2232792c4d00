// check: --kernel Mix --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// expect: unfinished-copy -- the copies of the other two warps have no wait
// line: 16
// Every value meets the one 32 places further; the first warp alone waits.
#include <cuda_pipeline.h>

__global__ void Mix(const float* x, float* out) {
  __shared__ float tile[96];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 96 + tid;
  __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  __pipeline_commit();
  if (tid < 32) __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[tid] * tile[(tid + 32) % 96];
}
