// check: --kernel Layer --grid 2 --block 128 --arg float16[2048]=index --arg float16[2048]=index
//        --arg float32[32]=uniform --arg float32[64,32]=unwritten --arg float32=0.5
// expect: race -- all four warps put their fragments into one staging tile
// line: 28, 31
// only with: nvrtc
// y = max(0, alpha * x * w + bias): each warp turns its fragment round in its own staging tile.
#include <mma.h>

using namespace nvcuda;

__global__ void Layer(const __half* x, const __half* w, const float* bias, float* y, float alpha) {
  __shared__ alignas(32) float stage[16 * 20];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * 32 + warp / 2 * 16;
  const int col = warp % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
#pragma unroll
  for (int i = 0; i < 32; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::load_matrix_sync(left, x + row * 32 + i, 32);
    wmma::load_matrix_sync(right, w + i * 32 + col, 32);
    wmma::mma_sync(sum, left, right, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= alpha;
  wmma::store_matrix_sync(stage, sum, 20, wmma::mem_row_major);
  __syncwarp();
  for (int r = lane / 16; r < 16; r += 2) {
    const float value = stage[r * 20 + lane % 16] + bias[col + lane % 16];
    y[(row + r) * 32 + col + lane % 16] = fmaxf(value, 0.0f);
  }
}
