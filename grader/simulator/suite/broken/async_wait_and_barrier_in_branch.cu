// check: --kernel Table --grid 2 --block 64 --arg float32[32]=uniform
//        --arg float32[128]=unwritten
// expect: divergent-barrier -- only the copying half of the block comes to the barrier
// line: 16, 20
// Half of the threads copy a table and wait for it together.
#include <cuda_pipeline.h>

__global__ void Table(const float* x, float* out) {
  __shared__ float table[32];
  __shared__ float mirrored[64];
  const int tid = threadIdx.x;
  if (tid < 32) {
    __pipeline_memcpy_async(&table[tid], &x[tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    mirrored[tid] = table[31 - tid];
    mirrored[63 - tid] = table[tid];
  }
  __syncthreads();
  out[blockIdx.x * 64 + tid] = mirrored[tid];
}
