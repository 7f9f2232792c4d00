// check: --kernel Multiply --grid 2 --block 64 --arg float16[1024]=index --arg float16[512]=index
//        --arg float32[64,16]=unwritten
// only with: nvrtc
// Groups instead of barriers by hand: the block shares B, each tile of 32 threads has its own A.
#include <cooperative_groups.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ alignas(32) __half as[2][256];
  __shared__ alignas(32) __half bs[256];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int tile = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  for (int e = block.thread_rank(); e < 256; e += block.size()) bs[e] = b[e];
  __half* mine = as[warp.meta_group_rank()];
  for (int e = warp.thread_rank(); e < 256; e += warp.size()) mine[e] = a[tile * 256 + e];
  block.sync();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, mine, 16);
  wmma::load_matrix_sync(right, bs, 16);
  wmma::mma_sync(sum, left, right, sum);
  warp.sync();
  wmma::store_matrix_sync(c + tile * 256, sum, 16, wmma::mem_row_major);
}
