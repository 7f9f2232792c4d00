// check: --kernel Mirror --grid 1 --block 64 --arg float32[103]=uniform
//        --arg float32[103]=unwritten --arg int32=103
// expect: race -- the single floats start four too early, inside the last quad
// line: 12, 14
// The body travels in quads, the rest in single floats.
#include <cuda_pipeline.h>

__global__ void Mirror(const float* x, float* out, int n) {
  __shared__ __align__(16) float tile[128];
  const int tid = threadIdx.x;
  const int quads = n / 4;
  if (tid < quads) __pipeline_memcpy_async(&tile[4 * tid], &x[4 * tid], 16);
  const int rest = 4 * (quads - 1) + tid;
  if (rest < n) __pipeline_memcpy_async(&tile[rest], &x[rest], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = tid; i < n; i += 64) out[i] = tile[n - 1 - i];
}
