// check: --kernel ColumnSums --grid 2 --block 32 --arg bfloat16[1024]=index
//        --arg float32[32]=unwritten
// only with: nvrtc
// Sums of the columns of a 32 x 32 matrix: ones times the matrix, 16 columns a block.
#include <cuda_bf16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
      "{%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

__global__ void ColumnSums(const __nv_bfloat16* x, float* sums) {
  const int group = threadIdx.x / 4;
  const int pair = threadIdx.x % 4 * 2;
  const unsigned ones[2] = {0x3f803f80u, 0x3f803f80u};
  for (int half = 0; half < 2; ++half) {
    const int col = blockIdx.x * 16 + half * 8;
    float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 32; i += 8) {
      const __nv_bfloat162 both = {x[(i + pair) * 32 + col + group],
                                   x[(i + pair + 1) * 32 + col + group]};
      const unsigned right[1] = {*reinterpret_cast<const unsigned*>(&both)};
      MultiplyAdd(d, ones, right);
    }
    if (group == 0) {
      sums[col + pair] = d[0];
      sums[col + pair + 1] = d[1];
    }
  }
}
