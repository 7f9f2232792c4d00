// check: --kernel Multiply --grid 2 --block 96 --arg float16[2048]=index --arg float16[2048]=index
//        --arg float32[32,32]=unwritten
// only with: nvrtc
// Warp 2 fetches the tiles; warps 0 and 1 multiply; named barriers say full and empty.
#include <mma.h>

using namespace nvcuda;

__device__ void Wait(int barrier) {
  asm volatile("bar.sync %0, 96;" ::"r"(barrier) : "memory");
}
__device__ void Signal(int barrier) {
  asm volatile("bar.arrive %0, 96;" ::"r"(barrier) : "memory");
}

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  __shared__ alignas(32) __half as[2][16 * 16];
  __shared__ alignas(32) __half bs[2][16 * 32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (warp == 2) {
    for (int t = 0; t < 4; ++t) {
      const int s = t % 2;
      if (t >= 2) Wait(3 + s);
      for (int e = lane; e < 256; e += 32) {
        as[s][e] = a[(blockIdx.x * 16 + e / 16) * 64 + t * 16 + e % 16];
      }
      for (int e = lane; e < 512; e += 32) bs[s][e] = b[t * 512 + e];
      __threadfence_block();
      Signal(1 + s);
    }
  } else {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int t = 0; t < 4; ++t) {
      const int s = t % 2;
      Wait(1 + s);
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
      wmma::load_matrix_sync(left, as[s], 16);
      wmma::load_matrix_sync(right, &bs[s][warp * 16], 32);
      wmma::mma_sync(sum, left, right, sum);
      if (t < 2) Signal(3 + s);
    }
    wmma::store_matrix_sync(c + blockIdx.x * 512 + warp * 16, sum, 32, wmma::mem_row_major);
  }
}
