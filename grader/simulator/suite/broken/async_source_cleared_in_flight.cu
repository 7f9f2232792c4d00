// check: --kernel Drain --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- the thread clears the value that its copy may not have read yet
// line: 12, 14, 15
// Takes the values out of a mailbox and leaves zeros there.
#include <cuda_pipeline.h>

__global__ void Drain(float* mailbox, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &mailbox[i], sizeof(float));
  __pipeline_commit();
  mailbox[i] = 0.0f;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[63 - tid];
}
