// check: --kernel Multiply --grid 1 --block 64 --arg float16[1024]=index --arg float16[1024]=index
//        --arg float32[32,32]=unwritten
// only with: nvrtc
// C = A^T * B: the left matrix is loaded column-major from a tile with a skew of 16 elements.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ alignas(32) __half as[32 * 48];
  __shared__ alignas(32) __half bs[32 * 48];
  const int warp = threadIdx.x / 32;
  for (int e = threadIdx.x; e < 1024; e += 64) {
    const int target = e / 32 * 48 + e % 32;
    as[target] = a[e];
    bs[target] = b[e];
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
  for (int t = 0; t < 2; ++t) wmma::fill_fragment(sum[t], 0.0f);
  for (int i = 0; i < 32; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> left;
    wmma::load_matrix_sync(left, as + i * 48 + warp * 16, 48);
    for (int t = 0; t < 2; ++t) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
      wmma::load_matrix_sync(right, bs + i * 48 + t * 16, 48);
      wmma::mma_sync(sum[t], left, right, sum[t]);
    }
  }
  for (int t = 0; t < 2; ++t) {
    wmma::store_matrix_sync(c + warp * 16 * 32 + t * 16, sum[t], 32, wmma::mem_row_major);
  }
}
