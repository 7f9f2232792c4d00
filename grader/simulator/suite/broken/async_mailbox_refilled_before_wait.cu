// check: --kernel Mailbox --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- the barrier stands before the wait, so the source may change
// line: 14, 19, 23
// Warp 0 fetches a mailbox; when all have met, warp 1 puts new values there.
#include <cuda_pipeline.h>

__global__ void Mailbox(float* mailbox, float* out) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 32 + lane;
  const bool reader = threadIdx.x < 32;
  if (reader) {
    __pipeline_memcpy_async(&tile[lane], &mailbox[i], sizeof(float));
    __pipeline_commit();
  }
  __syncthreads();
  if (reader) {
    __pipeline_wait_prior(0);
    __syncwarp();
    out[i] = tile[31 - lane];
  } else {
    mailbox[i] = -1.0f;
  }
}
