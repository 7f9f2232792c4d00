// check: --kernel Multiply --grid 2 --block 64 --arg float16[2048]=index --arg float16[2048]=index
//        --arg float32[32,32]=unwritten --arg int32=64
// expect: unfinished-copy -- the stage index is one too high: the tiles that are still being copied
//         are loaded
// line: 17, 19, 41, 42
// only with: nvrtc
// C = A * B with two buffers: the next tiles are copied while the present ones are multiplied.
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

__device__ void CopyTiles(__half (*as)[24], __half (*bs)[40], const __half* a, const __half* b,
                          int depth, int i) {
  const int tid = threadIdx.x;
  if (tid < 32) {
    __pipeline_memcpy_async(&as[tid / 2][tid % 2 * 8], &a[tid / 2 * depth + i + tid % 2 * 8], 16);
  }
  __pipeline_memcpy_async(&bs[tid / 4][tid % 4 * 8], &b[(i + tid / 4) * 32 + tid % 4 * 8], 16);
  __pipeline_commit();
}

__global__ void Multiply(const __half* a, const __half* b, float* c, int depth) {
  __shared__ alignas(32) __half as[2][16][24];
  __shared__ alignas(32) __half bs[2][16][40];
  const int col = threadIdx.x / 32 * 16;
  const __half* rows = a + blockIdx.x * 16 * depth;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  CopyTiles(as[0], bs[0], rows, b, depth, 0);
  for (int t = 0; t < depth / 16; ++t) {
    if (t + 1 < depth / 16) {
      CopyTiles(as[(t + 1) % 2], bs[(t + 1) % 2], rows, b, depth, (t + 1) * 16);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::load_matrix_sync(left, as[(t + 1) % 2][0], 24);
    wmma::load_matrix_sync(right, &bs[(t + 1) % 2][0][col], 40);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + blockIdx.x * 16 * 32 + col, sum, 32, wmma::mem_row_major);
}
