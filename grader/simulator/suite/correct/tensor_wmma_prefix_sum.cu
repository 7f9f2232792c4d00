// check: --kernel Scan --grid 2 --block 32 --arg float16[512]=index --arg float32[512]=unwritten
// only with: nvrtc
// Prefix sums of 256 numbers: X * U gives the sums inside rows, L * X * J those of the rows before.
#include <mma.h>

using namespace nvcuda;

__global__ void Scan(const __half* x, float* out) {
  __shared__ alignas(32) __half upper[16][16];
  __shared__ alignas(32) __half lower[16][16];
  __shared__ alignas(32) __half sums[16][16];
  __shared__ alignas(32) float tile[256];
  const __half one = __float2half(1.0f);
  const __half zero = __float2half(0.0f);
  for (int e = threadIdx.x; e < 256; e += 32) {
    upper[e / 16][e % 16] = e / 16 <= e % 16 ? one : zero;
    lower[e / 16][e % 16] = e / 16 > e % 16 ? one : zero;
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(left, x + blockIdx.x * 256, 16);
  wmma::fill_fragment(right, one);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32) sums[e / 16][e % 16] = __float2half(tile[e]);
  __syncwarp();
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(right, upper[0], 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::load_matrix_sync(left, lower[0], 16);
  wmma::load_matrix_sync(right, sums[0], 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out + blockIdx.x * 256, sum, 16, wmma::mem_row_major);
}
