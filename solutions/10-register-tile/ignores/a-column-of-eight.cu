// expect: technique/1=fail -- eight elements of one column a thread: nine loads for eight products
#include <tessera/lab.cuh>

constexpr int TILE = 64, DEPTH = 8, OWN = 8;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][DEPTH];
  __shared__ float Bs[DEPTH][TILE];
  const int thread = threadIdx.x, col = thread % TILE, first = thread / TILE * OWN;
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  float sums[OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    As[thread / DEPTH][thread % DEPTH] = A(first_row + thread / DEPTH, start + thread % DEPTH);
    Bs[thread / TILE][thread % TILE] = B(start + thread / TILE, first_col + thread % TILE);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      const float b = Bs[p][col];
#pragma unroll
      for (int i = 0; i < OWN; ++i) sums[i] += As[first + i][p] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < OWN; ++i) C(first_row + first + i, first_col + col) = sums[i];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(TILE * DEPTH), 0};
}
