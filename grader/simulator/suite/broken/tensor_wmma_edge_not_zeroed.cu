// check: --kernel Multiply --grid 3,3 --block 32 --arg float16[1000]=index
//        --arg float16[1000]=index --arg float32[40,40]=unwritten --arg int32=40 --arg int32=25
// expect: uninitialized-read -- elements past the edge are skipped instead of set to zero
// line: 30
// only with: nvrtc
// C = A * B for any size: tiles are padded with zeros, and the result goes through shared memory.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ alignas(32) __half as[16 * 16];
  __shared__ alignas(32) __half bs[16 * 16];
  __shared__ alignas(32) float cs[16 * 16];
  const int row0 = blockIdx.y * 16;
  const int col0 = blockIdx.x * 16;
  const __half zero = __float2half(0.0f);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    for (int e = threadIdx.x; e < 256; e += 32) {
      const int r = e / 16;
      const int s = e % 16;
      if (row0 + r < n && i + s < k) as[e] = a[(row0 + r) * k + i + s];
      bs[e] = i + r < k && col0 + s < n ? b[(i + r) * n + col0 + s] : zero;
    }
    __syncwarp();
    wmma::load_matrix_sync(left, as, 16);
    wmma::load_matrix_sync(right, bs, 16);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(cs, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32) {
    const int row = row0 + e / 16;
    const int col = col0 + e % 16;
    if (row < n && col < n) c[row * n + col] = cs[e];
  }
}
