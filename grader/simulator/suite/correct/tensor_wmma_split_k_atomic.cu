// check: --kernel Multiply --grid 2,2,3 --block 32 --arg float16[1536]=index
//        --arg float16[1536]=index --arg float32[32,32]=zeros --arg int32=48
// only with: nvrtc
// Split k: every block adds its partial tile into C.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c, int depth) {
  __shared__ alignas(32) float part[16][16];
  const int row = blockIdx.y * 16;
  const int col = blockIdx.x * 16;
  const int slice = depth / gridDim.z;
  const int first = blockIdx.z * slice;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = first; i < first + slice; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + row * depth + i, depth);
    wmma::load_matrix_sync(right, b + col * depth + i, depth);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(part[0], sum, 16, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < 256; e += blockDim.x) {
    atomicAdd(&c[(row + e / 16) * 32 + col + e % 16], part[e / 16][e % 16]);
  }
}
