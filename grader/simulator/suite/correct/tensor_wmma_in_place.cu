// check: --kernel Update --grid 2,3 --block 32 --arg float16[768]=index --arg float16[512]=index
//        --arg float32[48,32]=uniform
// only with: nvrtc
// C = C - A * B in place, as in a blocked factorisation: each warp owns one tile of C.
#include <mma.h>

using namespace nvcuda;

__global__ void Update(const __half* a, const __half* b, float* c) {
  float* tile = c + blockIdx.y * 16 * 32 + blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(sum, tile, 32, wmma::mem_row_major);
  wmma::load_matrix_sync(left, a + blockIdx.y * 16 * 16, 16);
  wmma::load_matrix_sync(right, b + blockIdx.x * 16, 32);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = __hneg(left.x[i]);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(tile, sum, 32, wmma::mem_row_major);
}
