// check: --kernel Rotated --grid 2 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// only with: nvrtc
// expect: uninitialized-read -- the size is given in elements, not in bytes
// line: 18
// Rotates 128 floats that the block copies together.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void Rotated(const float* x, float* out) {
  __shared__ alignas(16) float tile[128];
  const cg::thread_block block = cg::this_thread_block();
  const int base = blockIdx.x * 128;
  cg::memcpy_async(block, tile, x + base, 128);
  cg::wait(block);
  for (int j = threadIdx.x; j < 128; j += 64) out[base + j] = tile[(j + 5) % 128];
}
