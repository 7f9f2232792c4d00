// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: race -- sync() of a tile of 16 does not order the accesses of another tile
// line: 12
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[t] = t;
  tile.sync();
  out[t] = s[(t + 16) % 64];
}
