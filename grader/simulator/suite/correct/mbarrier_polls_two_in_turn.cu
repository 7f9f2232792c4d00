// check: --kernel Gather --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// Each thread looks at two mbarriers in turn, at which the copies of two halves arrive.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__global__ void Gather(const float* x, float* out) {
  __shared__ __mbarrier_t halves[2];
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid < 2) __mbarrier_init(&halves[tid], 32);
  __syncthreads();
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_arrive_on(&halves[tid / 32]);
  __mbarrier_arrive(&halves[tid / 32]);
  bool lower = false, upper = false;
  float sum = 0;
  while (!lower || !upper) {
    if (!lower && __mbarrier_test_wait_parity(&halves[0], false)) {
      lower = true;
      sum += tile[tid % 32];
    }
    if (!upper && __mbarrier_test_wait_parity(&halves[1], false)) {
      upper = true;
      sum += tile[32 + tid % 32];
    }
  }
  out[base + tid] = sum;
}
