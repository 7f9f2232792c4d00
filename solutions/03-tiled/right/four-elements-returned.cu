// Tiles of 32 x 32, loaded by a function that returns float4; a thread computes four neighbours.
#include <tessera/lab.cuh>

constexpr int T = 32;

__device__ float4 load4(const float* from, int pitch) {
  if (pitch % 4 == 0) return *(const float4*)from;
  return make_float4(from[0], from[1], from[2], from[3]);
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[T][T + 1];
  __shared__ float Bs[T][T];
  const int y = threadIdx.x / 8, x = threadIdx.x % 8 * 4;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int s = 0; s < A.width; s += T) {
    const bool in_a = row < A.height && s + x < A.width;
    const bool in_b = s + y < B.height && col < B.width;
    const float4 zero = make_float4(0, 0, 0, 0);
    const float4 a = in_a ? load4(&A(row, s + x), A.pitch) : zero;
    As[y][x] = a.x;
    As[y][x + 1] = a.y;
    As[y][x + 2] = a.z;
    As[y][x + 3] = a.w;
    *(float4*)&Bs[y][x] = in_b ? load4(&B(s + y, col), B.pitch) : zero;
    __syncthreads();
    for (int p = 0; p < T; ++p) {
      const float4 b = *(const float4*)&Bs[p][x];
      sum.x += As[y][p] * b.x;
      sum.y += As[y][p] * b.y;
      sum.z += As[y][p] * b.z;
      sum.w += As[y][p] * b.w;
    }
    __syncthreads();
  }
  if (row >= C.height || col >= C.width) return;
  if (C.pitch % 4 == 0) {
    *(float4*)&C(row, col) = sum;
  } else {
    C(row, col) = sum.x;
    C(row, col + 1) = sum.y;
    C(row, col + 2) = sum.z;
    C(row, col + 3) = sum.w;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(256), 0};
}
