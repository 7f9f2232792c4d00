// expect: race, out-of-bounds, diagnosis=made-for-whole-tiles -- nothing is guarded, and there
// are k / T phases
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[T][T];
  __shared__ int Bs[T][T];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * T + y;
  const int col = blockIdx.x * T + x;
  int sum = 0;
  for (int phase = 0; phase < A.width / T; ++phase) {
    As[y][x] = A(row, phase * T + x);
    Bs[y][x] = B(phase * T + y, col);
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += As[y][p] * Bs[p][x];
    __syncthreads();
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
