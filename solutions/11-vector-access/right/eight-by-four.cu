// Four columns a thread, in a block of 128 x 64.
#include <tessera/lab.cuh>

constexpr int ROWS = 128, COLS = 64, DEPTH = 8;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float4 As[DEPTH][ROWS / 4 + 1];
  __shared__ float4 Bs[DEPTH][COLS / 4];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLS;
  float4 sums[8] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const int row = t / 2, p = t % 2 * 4;
    const float4 a = *reinterpret_cast<const float4*>(&A(first_row + row, start + p));
    float* column = reinterpret_cast<float*>(As[p]) + row;
    column[0] = a.x;
    column[sizeof(As[0]) / 4] = a.y;
    column[2 * sizeof(As[0]) / 4] = a.z;
    column[3 * sizeof(As[0]) / 4] = a.w;
    if (t < DEPTH * COLS / 4)
      Bs[t / 16][t % 16] =
          *reinterpret_cast<const float4*>(&B(start + t / 16, first_col + t % 16 * 4));
    __syncthreads();
#pragma unroll
    for (int q = 0; q < DEPTH; ++q) {
      const float4 b = Bs[q][x], low = As[q][y], high = As[q][y + 16];
      const float of_a[] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        sums[i].x += of_a[i] * b.x;
        sums[i].y += of_a[i] * b.y;
        sums[i].z += of_a[i] * b.z;
        sums[i].w += of_a[i] * b.w;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + y * 4 + i % 4 + i / 4 * 64;
    *reinterpret_cast<float4*>(&C(row, first_col + x * 4)) = sums[i];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(256), 0};
}
