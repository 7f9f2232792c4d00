// check: --kernel Multiply --grid 2,1 --block 128 --arg float16[2048]=index
//        --arg float16[4096]=index --arg float32[32,64]=unwritten --arg int32=64 --arg int32=64
// expect: uninitialized-read -- a pitch of 32 instead of the 40 of the array: the load meets
//         elements of the padding, which no thread wrote
// line: 30
// only with: nvrtc
// C = A * B with padded shared tiles, four warps, each a 16 x 16 part of the 32 x 32 tile.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ alignas(32) __half as[32][40];
  __shared__ alignas(32) __half bs[32][40];
  const int warp_row = threadIdx.x / 64 * 16;
  const int warp_col = threadIdx.x / 32 % 2 * 16;
  const int row0 = blockIdx.y * 32;
  const int col0 = blockIdx.x * 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 32) {
    for (int e = threadIdx.x; e < 32 * 32; e += blockDim.x) {
      as[e / 32][e % 32] = a[(row0 + e / 32) * k + i + e % 32];
      bs[e / 32][e % 32] = b[(i + e / 32) * n + col0 + e % 32];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 16) {
      wmma::load_matrix_sync(left, &as[warp_row][j], 32);
      wmma::load_matrix_sync(right, &bs[j][warp_col], 40);
      wmma::mma_sync(sum, left, right, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(&c[(row0 + warp_row) * n + col0 + warp_col], sum, n, wmma::mem_row_major);
}
