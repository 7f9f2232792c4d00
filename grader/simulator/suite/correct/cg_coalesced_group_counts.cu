// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[1]=zeros
// One atomic by the group of lanes that took the branch.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* count) {
  if (in[threadIdx.x] % 3 == 0) {
    auto g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(count, g.size());
  }
}
