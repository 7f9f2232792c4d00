// check: --kernel Alternating --grid 2 --block 64 --arg float32[896]=uniform
//        --arg float32[128]=unwritten --arg int32=7
// only with: nvrtc
// The block copies the next tile and waits for all but the last copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void Alternating(const float* x, float* out, int tiles) {
  __shared__ alignas(16) float buffer[2][64];
  const cg::thread_block block = cg::this_thread_block();
  const float* mine = x + blockIdx.x * tiles * 64;
  cg::memcpy_async(block, buffer[0], mine, sizeof(float) * 64);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, buffer[(t + 1) % 2], mine + (t + 1) * 64, sizeof(float) * 64);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum = buffer[t % 2][63 - threadIdx.x] - sum;
    block.sync();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
