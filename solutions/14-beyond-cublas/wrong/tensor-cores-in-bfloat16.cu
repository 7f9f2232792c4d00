// expect: wrong-result, diagnosis=low-precision-operands -- operands with 7 bits of fraction
#include <tessera/lab.cuh>

constexpr int ROWS = 16;  // a warp computes ROWS x COLS elements of C
constexpr int COLS = 8;
constexpr int DEPTH = 8;  // columns of A in a product
constexpr int WARPS = 4;  // side by side

/// Two neighbours as bfloat16, the first in the low half.
__device__ unsigned pair(float low, float high) {
  unsigned bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * ROWS + threadIdx.x % 32 / 4;
  const int first_col = (blockIdx.x * WARPS + threadIdx.x / 32) * COLS;
  const int col = first_col + threadIdx.x % 32 / 4;
  const int two = 2 * (threadIdx.x % 4);
  float sums[4] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const int k = start + two;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(pair(A(row, k), A(row, k + 1))), "r"(pair(A(row + 8, k), A(row + 8, k + 1))),
          "r"(pair(B(k, col), B(k + 1, col))));
  }
  for (int i = 0; i < 4; ++i) C(row + i / 2 * 8, first_col + two + i % 2) = sums[i];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / (COLS * WARPS), m / ROWS), dim3(32 * WARPS), 0};
}
