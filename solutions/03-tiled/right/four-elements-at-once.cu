// Tiles of 32 x 32, copied as float4 where the pitch allows it; a thread computes four rows.
#include <tessera/lab.cuh>

constexpr int T = 32;

__device__ void copy4(float4* to, const Matrix<const float>& M, int row, int col) {
  if (row >= M.height || col >= M.width) {
    *to = make_float4(0, 0, 0, 0);
  } else if (M.pitch % 4 == 0) {
    *to = *reinterpret_cast<const float4*>(M.data + row * M.pitch + col);
  } else {
    const float* from = M.data + row * M.pitch + col;
    *to = make_float4(from[0], from[1], from[2], from[3]);
  }
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float4 As[T][T / 4], Bs[T][T / 4];
  const int t = threadIdx.x, x = t % 32, y = t / 32;
  const int row = blockIdx.y * T, col = blockIdx.x * T;
  const float* a = reinterpret_cast<const float*>(As);
  const float* b = reinterpret_cast<const float*>(Bs);
  float sum[4] = {};
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
