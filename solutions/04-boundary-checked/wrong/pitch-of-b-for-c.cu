// expect: wrong-result, diagnosis=wrong-row-length -- rows of C are taken to be as far apart as
// those of B
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[TILE][TILE];
  __shared__ int Bs[TILE][TILE];

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  const int k = A.width;

  int sum = 0;
  for (int start = 0; start < k; start += TILE) {
    const int A_col = start + threadIdx.x;
    const int B_row = start + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < A.height && A_col < k ? A(row, A_col) : 0;
    Bs[threadIdx.y][threadIdx.x] = B_row < k && col < B.width ? B(B_row, col) : 0;
    __syncthreads();

    for (int p = 0; p < TILE; ++p) {
      sum += As[threadIdx.y][p] * Bs[p][threadIdx.x];
    }
    __syncthreads();
  }

  if (row < C.height && col < C.width) C.data[row * B.pitch + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
