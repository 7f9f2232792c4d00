// check: --kernel CubeSums --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- the thread's own element is squared before its copy has arrived
// line: 14
// Squares the tile in place and then sums over it.
#include <cuda_pipeline.h>

__global__ void CubeSums(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  __pipeline_commit();
  const float own = tile[tid];
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j < 64; ++j) sum += tile[j];
  out[i] = own * own * sum;
}
