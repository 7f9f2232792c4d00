// check: --kernel WarpFlip --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// only with: nvrtc
// Each warp copies and waits as a group of its own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void WarpFlip(const float* x, float* out) {
  __shared__ alignas(16) float tiles[2][32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int which = threadIdx.x / 32;
  const int base = blockIdx.x * 64 + which * 32;
  cg::memcpy_async(warp, tiles[which], x + base, sizeof(float) * 32);
  cg::wait(warp);
  out[base + warp.thread_rank()] = tiles[which][31 - warp.thread_rank()];
}
