// expect: diagnosis=tile-turned -- the tile itself is not transposed
#include <tessera/lab.cuh>

constexpr int T = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[T][T + 1];
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  if (row < A.height && col < A.width) tile[threadIdx.y][threadIdx.x] = A(row, col);
  __syncthreads();
  const int row_of_b = blockIdx.x * T + threadIdx.y;
  const int col_of_b = blockIdx.y * T + threadIdx.x;
  if (row_of_b < B.height && col_of_b < B.width)
    B(row_of_b, col_of_b) = tile[threadIdx.y][threadIdx.x];
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
