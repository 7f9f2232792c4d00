// check: --kernel Multiply --grid 2 --block 64 --shared 1536 --arg float16[1024]=index
//        --arg float16[1024]=index --arg float32[32,32]=unwritten
// expect: out-of-bounds -- the launch asks for the bytes of the tiles, but the result needs 2048
// line: 31, 33
// only with: nvrtc
// Dynamic shared memory holds the tiles first and the result later.
#include <mma.h>

using namespace nvcuda;

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  extern __shared__ __align__(128) unsigned char memory[];
  __half* as = reinterpret_cast<__half*>(memory);
  __half* bs = as + 16 * 16;
  float* cs = reinterpret_cast<float*>(memory);
  const int tid = threadIdx.x;
  const int col = tid / 32 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < 32; i += 16) {
    for (int e = tid; e < 256; e += 64) as[e] = a[(blockIdx.x * 16 + e / 16) * 32 + i + e % 16];
    for (int e = tid; e < 512; e += 64) bs[e] = b[i * 32 + e];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::load_matrix_sync(left, as, 16);
    wmma::load_matrix_sync(right, bs + col, 32);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(cs + col, sum, 32, wmma::mem_row_major);
  __syncthreads();
  for (int e = tid; e < 512; e += 64) c[blockIdx.x * 512 + e] = cs[e];
}
