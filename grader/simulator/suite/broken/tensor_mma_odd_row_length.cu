// check: --kernel Multiply --grid 2,2 --block 32 --arg bfloat16[480]=index
//        --arg bfloat16[300]=index --arg float32[30,18]=unwritten --arg int32=30 --arg int32=18
//        --arg int32=15
// expect: misaligned -- rows of 15 elements: every other row starts in the middle of a pair
// line: 20, 32, 33
// only with: nvrtc
// Any size with guards: elements past an edge count as zero, and results past it are not stored.
#include <cuda_bf16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned Pair(const __nv_bfloat16* m, int row, int rows, int col, int cols) {
  if (row >= rows || col >= cols) return 0u;
  return *reinterpret_cast<const unsigned*>(m + row * cols + col);
}

__global__ void Multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int m, int n,
                         int k) {
  const int group = threadIdx.x / 4;
  const int pair = threadIdx.x % 4 * 2;
  const int row = blockIdx.y * 16 + group;
  for (int col = blockIdx.x * 8; col < n; col += gridDim.x * 8) {
    float d[4] = {};
    for (int i = 0; i < k; i += 16) {
      unsigned left[4], right[2];
      for (int j = 0; j < 4; ++j) left[j] = Pair(a, row + j % 2 * 8, m, i + pair + j / 2 * 8, k);
      for (int j = 0; j < 2; ++j) right[j] = Pair(b, col + group, n, i + pair + j * 8, k);
      MultiplyAdd(d, left, right);
    }
    for (int j = 0; j < 4; ++j) {
      const int r = row + j / 2 * 8;
      const int s = col + pair + j % 2;
      if (r < m && s < n) c[r * n + s] = d[j];
    }
  }
}
