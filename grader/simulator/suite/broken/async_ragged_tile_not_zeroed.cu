// check: --kernel SumSlices --grid 2 --block 64 --arg float32[100]=uniform
//        --arg float32[2]=unwritten --arg int32=100
// expect: uninitialized-read -- past the end nothing is copied and nothing is zeroed
// line: 17
// Sum of each block's slice of an array that does not fill the last block.
#include <cuda_pipeline.h>

__global__ void SumSlices(const float* x, float* sums, int n) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (i < n) __pipeline_memcpy_async(&cache[tid], &x[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (tid < half) cache[tid] += cache[tid + half];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
