// check: --kernel Halo --grid 1 --block 32 --arg float32[128]=uniform
//        --arg float32[32]=unwritten
// expect: misaligned, uninitialized-read -- the tile's body starts four bytes too far
// line: 12
// Quads are copied behind a halo cell that stays zero.
#include <cuda_pipeline.h>

__global__ void Halo(const float* x, float* out) {
  __shared__ __align__(16) float tile[129];
  const int tid = threadIdx.x;
  if (tid == 0) tile[0] = 0.0f;
  __pipeline_memcpy_async(&tile[1 + 4 * tid], &x[4 * tid], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[tid] = tile[4 * tid] + tile[4 * tid + 1];
}
