// expect: misaligned -- a row may be whole int2 and begin at an address that is not
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a thread copies and computes two

// The elements of M in columns col and col + 1, zeros beyond the edge.
__device__ int2 two_of(const Matrix<const int>& M, int row, int col) {
  if (row >= M.height) return {0, 0};
  if (M.width % 2 == 0 && col < M.width) return *reinterpret_cast<const int2*>(&M(row, col));
  return {col < M.width ? M(row, col) : 0, col + 1 < M.width ? M(row, col + 1) : 0};
}

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int2 As[TILE][TILE / 2];
  __shared__ int2 Bs[TILE][TILE / 2];

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + 2 * threadIdx.x;
  const int k = A.width;

  int2 sum = {0, 0};
  for (int start = 0; start < k; start += TILE) {
    As[threadIdx.y][threadIdx.x] = two_of(A, row, start + 2 * threadIdx.x);
    Bs[threadIdx.y][threadIdx.x] = two_of(B, start + threadIdx.y, col);
    __syncthreads();

    for (int p = 0; p < TILE; p += 2) {
      const int2 a = As[threadIdx.y][p / 2];
      const int2 b = Bs[p][threadIdx.x];
      const int2 below = Bs[p + 1][threadIdx.x];
      sum.x += a.x * b.x + a.y * below.x;
      sum.y += a.x * b.y + a.y * below.y;
    }
    __syncthreads();
  }

  if (row < C.height && col < C.width) C(row, col) = sum.x;
  if (row < C.height && col + 1 < C.width) C(row, col + 1) = sum.y;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE / 2, TILE), 0};
}
