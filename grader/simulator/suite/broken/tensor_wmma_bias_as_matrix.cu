// check: --kernel Layer --grid 2 --block 64 --arg float16[1024]=index --arg float16[1024]=index
//        --arg float32[32]=uniform --arg float32[32,32]=unwritten
// expect: out-of-bounds -- the bias is one row, but it is loaded as if it had 16
// line: 15
// only with: nvrtc
// y = x * w + bias: the accumulator starts from the bias.
#include <mma.h>

using namespace nvcuda;

__global__ void Layer(const __half* x, const __half* w, const float* bias, float* y) {
  const int col = threadIdx.x / 32 * 16;
  const int row = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(sum, bias + col, 32, wmma::mem_row_major);
  for (int i = 0; i < 32; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::load_matrix_sync(left, x + row * 32 + i, 32);
    wmma::load_matrix_sync(right, w + col * 32 + i, 32);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(y + row * 32 + col, sum, 32, wmma::mem_row_major);
}
