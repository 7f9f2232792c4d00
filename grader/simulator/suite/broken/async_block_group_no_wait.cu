// check: --kernel Centered --grid 2 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// only with: nvrtc
// expect: unfinished-copy -- the block's barrier does not wait for the block's copy
// line: 19, 20
// Differences to the average of 128 floats that the block copies together.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void Centered(const float* x, float* out) {
  __shared__ alignas(16) float tile[128];
  const cg::thread_block block = cg::this_thread_block();
  const int base = blockIdx.x * 128;
  cg::memcpy_async(block, tile, x + base, sizeof(float) * 128);
  block.sync();
  float sum = 0.0f;
  for (int j = 0; j < 128; ++j) sum += tile[j];
  for (int j = threadIdx.x; j < 128; j += 64) out[base + j] = tile[j] - sum / 128.0f;
}
