// check: --kernel Project --grid 3 --block 64 --arg bfloat16[1024]=index --arg bfloat16[3072]=index
//        --arg float32[32,96]=unwritten --arg int32=96
// only with: nvrtc
// Y = X * W^T as in a linear layer: the weights are stored by output, so B is column-major.
#include <mma.h>

using namespace nvcuda;

constexpr int kDepth = 32;

__global__ void Project(const __nv_bfloat16* x, const __nv_bfloat16* weights, float* y,
                        int outputs) {
  const int warp = threadIdx.x / 32;
  const int output = blockIdx.x * 32 + warp * 16;
  for (int row = 0; row < 32; row += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < kDepth; i += 16) {
      wmma::load_matrix_sync(left, x + row * kDepth + i, kDepth);
      wmma::load_matrix_sync(right, weights + output * kDepth + i, kDepth);
      wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(y + row * outputs + output, sum, outputs, wmma::mem_row_major);
  }
}
