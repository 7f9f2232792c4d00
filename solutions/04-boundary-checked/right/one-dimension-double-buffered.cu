// Blocks of 256 threads in a row; the next tiles are loaded while the current ones are multiplied.
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[2][TILE][TILE];
  __shared__ int Bs[2][TILE][TILE];
  const int i = threadIdx.x / TILE;
  const int j = threadIdx.x % TILE;
  const int tiles_across = (C.width + TILE - 1) / TILE;
  const int row = blockIdx.x / tiles_across * TILE + i;
  const int col = blockIdx.x % tiles_across * TILE + j;
  const int phases = (A.width + TILE - 1) / TILE;

  int sum = 0;
  for (int phase = 0; phase <= phases; ++phase) {
    const int start = phase * TILE;
    if (phase < phases) {
      const bool in_A = row < A.height && start + j < A.width;
      const bool in_B = start + i < B.height && col < B.width;
      As[phase % 2][i][j] = in_A ? A(row, start + j) : 0;
      Bs[phase % 2][i][j] = in_B ? B(start + i, col) : 0;
    }
    if (phase > 0) {
      for (int p = 0; p < TILE; ++p) sum += As[(phase - 1) % 2][i][p] * Bs[(phase - 1) % 2][p][j];
    }
    __syncthreads();
  }
  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE) * ceil_div(m, TILE)), dim3(TILE * TILE), 0};
}
