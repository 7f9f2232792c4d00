// check: --kernel Filter --grid 2 --block 32 --arg float16[272]=index --arg float16[256]=index
//        --arg float32[32,16]=unwritten
// only with: nvrtc
// Frames of 16 samples that start 8 samples apart: the leading dimension is less than a row.
#include <mma.h>

using namespace nvcuda;

__global__ void Filter(const __half* signal, const __half* filters, float* out) {
  const int frame = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, signal + frame * 8, 8);
  wmma::load_matrix_sync(right, filters, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out + frame * 16, sum, 16, wmma::mem_row_major);
}
