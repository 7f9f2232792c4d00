// 128 rows and 64 columns a block, 8 x 4 elements a thread.
#include <tessera/lab.cuh>

constexpr int ROWS = 128, COLS = 64, DEPTH = 16, SIDE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[DEPTH][ROWS + 1];  // transposed, and padded against bank conflicts
  __shared__ float Bs[DEPTH][COLS];
  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLS;
  float sums[ROWS / SIDE][COLS / SIDE] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
#pragma unroll
    for (int i = thread; i < ROWS * DEPTH; i += SIDE * SIDE) {
      const int p = i % DEPTH;
      As[p][i / DEPTH] = start + p < A.width ? A(first_row + i / DEPTH, start + p) : 0.0f;
    }
#pragma unroll
    for (int i = thread; i < DEPTH * COLS; i += SIDE * SIDE) {
      const int p = i / COLS;
      Bs[p][i % COLS] = start + p < A.width ? B(start + p, first_col + i % COLS) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float b[COLS / SIDE];
#pragma unroll
      for (int j = 0; j < COLS / SIDE; ++j) b[j] = Bs[p][threadIdx.x + j * SIDE];
#pragma unroll
      for (int i = 0; i < ROWS / SIDE; ++i) {
        const float a = As[p][threadIdx.y + i * SIDE];
#pragma unroll
        for (int j = 0; j < COLS / SIDE; ++j) sums[i][j] = fmaf(a, b[j], sums[i][j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < ROWS / SIDE; ++i) {
#pragma unroll
    for (int j = 0; j < COLS / SIDE; ++j)
      C(first_row + threadIdx.y + i * SIDE, first_col + threadIdx.x + j * SIDE) = sums[i][j];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(SIDE, SIDE), 0};
}
