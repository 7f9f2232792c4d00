// check: --kernel k --grid 2 --block 32 --arg int32[64]=zeros --arg int32[64]=zeros
// only with: nvrtc
// expect: unsupported-instruction -- grid synchronisation needs a cooperative launch, and check
//         launches an ordinary one
// line: 11
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* a, int* b) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[63 - i];
}
