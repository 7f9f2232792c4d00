// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// Sync() of a tile of 16 orders the accesses of its threads, and they read only their tile's
// elements.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[t] = t;
  tile.sync();
  out[t] = s[t - tile.thread_rank() + 15 - tile.thread_rank()];
}
