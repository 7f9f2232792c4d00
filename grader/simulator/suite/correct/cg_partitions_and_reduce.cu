// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=zeros
// Tiles of 8, reduced by cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  const int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) out[block.thread_rank() / 8] = sum;
  block.sync();
  out[block.thread_rank()] += out[0] * 0;
}
