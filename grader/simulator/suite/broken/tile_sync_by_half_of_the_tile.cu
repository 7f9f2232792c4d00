// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: divergent-barrier -- all threads of a tile must reach sync()
// line: 10
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x;
  out[t] = t;
  if (t < 16) tile.sync();
  out[t] += tile.shfl(t, 0);
}
