// check: --kernel Overlay --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=uniform --arg float32[128]=unwritten
// expect: unfinished-copy -- the second copy begins before the first has arrived
// line: 12, 14
// Odd cells come from the overlay, the others from the base.
#include <cuda_pipeline.h>

__global__ void Overlay(const float* base, const float* overlay, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &base[i], sizeof(float));
  if (tid % 2 == 1) {
    __pipeline_memcpy_async(&tile[tid], &overlay[i], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[63 - tid];
}
