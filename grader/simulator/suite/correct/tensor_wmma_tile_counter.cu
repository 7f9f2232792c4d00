// check: --kernel Multiply --grid 2 --block 32 --arg float16[1536]=index --arg float16[1536]=index
//        --arg float32[48,48]=unwritten --arg int32[1]=zeros
// only with: nvrtc
// C = A * B^T: warps fetch the number of their next tile from a counter.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c, int* counter) {
  while (true) {
    int tile = 0;
    if (threadIdx.x == 0) tile = atomicAdd(counter, 1);
    tile = __shfl_sync(0xffffffffu, tile, 0);
    if (tile >= 9) break;
    const int row = tile / 3 * 16;
    const int col = tile % 3 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < 32; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
      wmma::load_matrix_sync(left, a + row * 32 + i, 32);
      wmma::load_matrix_sync(right, b + col * 32 + i, 32);
      wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * 48 + col, sum, 48, wmma::mem_row_major);
  }
}
