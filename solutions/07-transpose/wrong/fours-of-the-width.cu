// expect: misaligned -- a row may be whole float4 and begin at an address that is not
#include <tessera/lab.cuh>

constexpr int TILE = 32;
constexpr int WIDE = 4;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE + 1];
  const int t = threadIdx.x;
  const int y = t / (TILE / WIDE);
  const int x = t % (TILE / WIDE) * WIDE;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;
  if (row < A.height) {
    if (A.width % WIDE == 0 && col + WIDE <= A.width) {
      const float4 four = *reinterpret_cast<const float4*>(&A(row, col));
      tile[y][x] = four.x;
      tile[y][x + 1] = four.y;
      tile[y][x + 2] = four.z;
      tile[y][x + 3] = four.w;
    } else {
      for (int e = 0; e < WIDE; ++e) {
        if (col + e < A.width) tile[y][x + e] = A(row, col + e);
      }
    }
  }
  __syncthreads();
  for (int r = t / TILE; r < TILE; r += TILE / WIDE) {
    const int row_of_b = blockIdx.x * TILE + r;
    const int col_of_b = blockIdx.y * TILE + t % TILE;
    if (row_of_b < B.height && col_of_b < B.width) B(row_of_b, col_of_b) = tile[t % TILE][r];
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE * TILE / WIDE), 0};
}
