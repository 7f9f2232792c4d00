// check: --kernel WarpMailbox --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: clean
// Warp 0 leaves a message for warp 1 in shared memory and raises a flag after a block fence.
__global__ void WarpMailbox(const float* x, float* out) {
  __shared__ float message[32];
  __shared__ int ready;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    message[lane] = 2.0f * x[blockIdx.x * 32 + lane];
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      atomicExch(&ready, 1);
    }
  } else {
    if (lane == 0) {
      while (atomicAdd(&ready, 0) == 0) {
      }
      __threadfence_block();
    }
    __syncwarp();
    out[blockIdx.x * 32 + lane] = message[31 - lane];
  }
}
