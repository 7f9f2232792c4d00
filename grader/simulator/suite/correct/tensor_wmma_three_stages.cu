// check: --kernel Multiply --grid 2 --block 96 --arg bfloat16[3072]=index
//        --arg bfloat16[4608]=index --arg float32[32,48]=unwritten --arg int32=96
// only with: nvrtc
// C = A * B with a ring of stages and one barrier in each pass.
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kStages = 3;

__global__ void Multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int depth) {
  __shared__ alignas(32) __nv_bfloat16 as[kStages][16][24];
  __shared__ alignas(32) __nv_bfloat16 bs[kStages][16][56];
  const int tid = threadIdx.x;
  const int tiles = depth / 16;
  const __nv_bfloat16* rows = a + blockIdx.x * 16 * depth;
  const auto fetch = [&](int t) {
    if (t < tiles) {
      const int s = t % kStages;
      if (tid < 32) {
        const int part = tid % 2 * 8;
        __pipeline_memcpy_async(&as[s][tid / 2][part], &rows[tid / 2 * depth + t * 16 + part], 16);
      }
      __pipeline_memcpy_async(&bs[s][tid / 6][tid % 6 * 8],
                              &b[(t * 16 + tid / 6) * 48 + tid % 6 * 8], 16);
    }
    __pipeline_commit();
  };
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  fetch(0);
  fetch(1);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(1);
    __syncthreads();
    fetch(t + 2);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> right;
    wmma::load_matrix_sync(left, &as[t % kStages][0][0], 24);
    wmma::load_matrix_sync(right, &bs[t % kStages][0][tid / 32 * 16], 56);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.x * 16 * 48 + tid / 32 * 16, sum, 48, wmma::mem_row_major);
}
