// check: --kernel Multiply --grid 1,4 --block 32 --arg float16[2048]=index --arg float16[512]=index
//        --arg float32[16,64]=unwritten
// expect: out-of-bounds -- the address is that of a row-major result, the store is column-major
// line: 22
// only with: nvrtc
// The product of a 64 x 32 and a 32 x 16 matrix, stored as its transpose.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* transposed) {
  const int row = blockIdx.y * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < 32; i += 16) {
    wmma::load_matrix_sync(left, a + row * 32 + i, 32);
    wmma::load_matrix_sync(right, b + i * 16, 16);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(transposed + row * 16, sum, 64, wmma::mem_col_major);
}
