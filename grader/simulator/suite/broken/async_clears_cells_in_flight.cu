// check: --kernel Shares --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- the border is cleared while the copy into it is still in flight
// line: 14
// Weighted neighbours; the first and the last cell of the tile should count as zero.
#include <cuda_pipeline.h>

__global__ void Shares(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  __pipeline_commit();
  if (tid == 0 || tid == 63) tile[tid] = 0.0f;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[tid] + 0.5f * tile[(tid + 1) % 64];
}
