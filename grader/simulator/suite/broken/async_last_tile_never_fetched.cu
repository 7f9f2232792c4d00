// check: --kernel MirrorSums --grid 2 --block 64 --arg float32[384]=uniform
//        --arg float32[128]=unwritten
// expect: uninitialized-read -- the loop stops one early, so the third stage is never filled
// line: 19
// Three tiles of a row in three stages that are all fetched at once.
#include <cuda_pipeline.h>

__global__ void MirrorSums(const float* x, float* out) {
  __shared__ float stages[3][64];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * 3 * 64;
  for (int t = 0; t < 3 - 1; ++t) {
    __pipeline_memcpy_async(&stages[t][tid], &mine[t * 64 + tid], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < 3; ++t) sum += stages[t][63 - tid];
  out[blockIdx.x * 64 + tid] = sum;
}
