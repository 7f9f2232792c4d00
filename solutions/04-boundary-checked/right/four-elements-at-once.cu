// Tiles of 32 x 32, copied as int4 where four elements exist and are aligned, else one by one.
#include <tessera/lab.cuh>

constexpr int T = 32;

__device__ void copy4(int4* to, const Matrix<const int>& M, int row, int col) {
  if (row < M.height && col + 4 <= M.width && M.pitch % 4 == 0) {
    *to = *reinterpret_cast<const int4*>(M.data + row * M.pitch + col);
  } else {
    for (int q = 0; q < 4; ++q)
      reinterpret_cast<int*>(to)[q] = row < M.height && col + q < M.width ? M(row, col + q) : 0;
  }
}

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int4 As[T][T / 4], Bs[T][T / 4];
  const int t = threadIdx.x, x = t % 32, y = t / 32;
  const int row = blockIdx.y * T, col = blockIdx.x * T;
  const int* a = reinterpret_cast<const int*>(As);
  const int* b = reinterpret_cast<const int*>(Bs);
  int sum[4] = {};
  for (int s = 0; s < A.width; s += T) {
    copy4(&As[t / 8][t % 8], A, row + t / 8, s + t % 8 * 4);
    copy4(&Bs[t / 8][t % 8], B, s + t / 8, col + t % 8 * 4);
    __syncthreads();
    for (int p = 0; p < T; ++p) {
#pragma unroll
      for (int q = 0; q < 4; ++q) sum[q] += a[(y + 8 * q) * T + p] * b[p * T + x];
    }
    __syncthreads();
  }
#pragma unroll
  for (int q = 0; q < 4; ++q)
    if (row + y + 8 * q < C.height && col + x < C.width) C(row + y + 8 * q, col + x) = sum[q];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(256), 0};
}
