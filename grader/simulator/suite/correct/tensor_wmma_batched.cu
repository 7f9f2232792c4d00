// check: --kernel MultiplyAll --grid 3 --block 128 --arg float16[2560]=index
//        --arg float16[2560]=index --arg float32[160,16]=unwritten --arg int32=10
// only with: nvrtc
// A batch of 16 x 16 products, one warp for each; warps without a product leave.
#include <mma.h>

using namespace nvcuda;

__global__ void MultiplyAll(const __half* a, const __half* b, float* c, int count) {
  const int batch = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  if (batch >= count) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a + batch * 256, 16);
  wmma::load_matrix_sync(right, b + batch * 256, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + batch * 256, sum, 16, wmma::mem_row_major);
}
