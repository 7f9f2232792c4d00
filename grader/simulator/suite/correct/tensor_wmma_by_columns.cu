// check: --kernel Product --grid 1 --block 32 --arg bfloat16[256]=index --arg bfloat16[256]=index
//        --arg float32[256]=unwritten
// The same with B stored by columns.
#include <cuda_bf16.h>
#include <mma.h>

__global__ void Product(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> of_a;
  fragment<matrix_b, 16, 16, 16, __nv_bfloat16, col_major> of_b;
  fragment<accumulator, 16, 16, 16, float> sums;
  fill_fragment(sums, 0.0f);
  load_matrix_sync(of_a, a, 16);
  load_matrix_sync(of_b, b, 16);
  mma_sync(sums, of_a, of_b, sums);
  store_matrix_sync(c, sums, 16, mem_row_major);
}
