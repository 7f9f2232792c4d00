// expect: wrong-result, diagnosis=low-precision-operands -- operands with 10 bits of fraction
#include <tessera/lab.cuh>

constexpr int ROWS = 16;  // a warp computes ROWS x COLS elements of C
constexpr int COLS = 8;
constexpr int DEPTH = 8;  // columns of A in a product
constexpr int WARPS = 4;  // side by side

__device__ unsigned tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * ROWS + threadIdx.x % 32 / 4;
  const int first_col = (blockIdx.x * WARPS + threadIdx.x / 32) * COLS;
  const int col = first_col + threadIdx.x % 32 / 4;
  const int k = threadIdx.x % 4;
  float sums[4] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(tf32(A(row, start + k))), "r"(tf32(A(row + 8, start + k))),
          "r"(tf32(A(row, start + k + 4))), "r"(tf32(A(row + 8, start + k + 4))),
          "r"(tf32(B(start + k, col))), "r"(tf32(B(start + k + 4, col))));
  }
  for (int i = 0; i < 4; ++i) C(row + i / 2 * 8, first_col + 2 * k + i % 2) = sums[i];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / (COLS * WARPS), m / ROWS), dim3(32 * WARPS), 0};
}
