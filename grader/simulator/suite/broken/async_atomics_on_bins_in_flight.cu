// check: --kernel Histogram --grid 2 --block 64 --arg int32[128]=integers
//        --arg int32[8]=zeros --arg int32[2,8]=unwritten
// expect: unfinished-copy -- counting begins before the old counts have arrived
// line: 16
// Adds to counts that an earlier launch has left.
#include <cuda_pipeline.h>

__global__ void Histogram(const int* x, const int* before, int* bins) {
  __shared__ int counts[8];
  const int tid = threadIdx.x;
  if (tid < 8) {
    __pipeline_memcpy_async(&counts[tid], &before[tid], sizeof(int));
    __pipeline_commit();
  }
  __syncthreads();
  atomicAdd(&counts[x[blockIdx.x * 64 + tid] & 7], 1);
  __pipeline_wait_prior(0);
  __syncthreads();
  if (tid < 8) bins[blockIdx.x * 8 + tid] = counts[tid];
}
