// check: --kernel Multiply --grid 2,2 --block 32 --arg float16[1280]=index
//        --arg float16[1280]=index --arg float32[32,32]=unwritten --arg int32=32 --arg int32=40
// expect: out-of-bounds -- B has 40 rows, and the last step of 16 reads rows 32 to 47
// line: 19, 20
// only with: nvrtc
// C = A * B, one warp for each 16 x 16 tile of C, fragments straight from global memory.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c, int n, int k) {
  const int row = blockIdx.y * 16;
  const int col = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + col, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}
