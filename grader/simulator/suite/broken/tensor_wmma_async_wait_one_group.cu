// check: --kernel Multiply --grid 2 --block 64 --arg float16[1024]=index --arg float16[4096]=index
//        --arg float32[16,64]=unwritten --arg int32=64
// expect: unfinished-copy -- wait_prior(1) lets the only group stay in flight
// line: 24, 26, 34, 35
// only with: nvrtc
// C = A * B with tiles that are copied asynchronously, one stage.
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kPitch = 40;

__global__ void Multiply(const __half* a, const __half* b, float* c, int depth) {
  __shared__ alignas(32) __half as[16 * kPitch];
  __shared__ alignas(32) __half bs[32 * kPitch];
  const int tid = threadIdx.x;
  const int col0 = blockIdx.x * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < depth; i += 32) {
    const int row = tid / 4;
    const int part = tid % 4 * 8;
    __pipeline_memcpy_async(&as[row * kPitch + part], &a[row * depth + i + part], 16);
    for (int r = row; r < 32; r += 16) {
      __pipeline_memcpy_async(&bs[r * kPitch + part], &b[(i + r) * 64 + col0 + part], 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < 32; j += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
      wmma::load_matrix_sync(left, as + j, kPitch);
      wmma::load_matrix_sync(right, bs + j * kPitch + tid / 32 * 16, kPitch);
      wmma::mma_sync(sum, left, right, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(c + col0 + tid / 32 * 16, sum, 64, wmma::mem_row_major);
}
