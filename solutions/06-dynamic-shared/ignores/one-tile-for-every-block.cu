// expect: technique/4=fail -- right, but the tiles are 32 x 2 and 2 x 32 for every block
#include <tessera/lab.cuh>

constexpr int SIDE = 32, DEPTH = 2;

// 8 x 8 threads compute 32 x 32 elements of C, 16 each.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float shared[];
  float* As = shared;                 // SIDE x DEPTH
  float* Bs = shared + SIDE * DEPTH;  // DEPTH x SIDE
  const int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x;
  const int first_row = blockIdx.y * SIDE, first_col = blockIdx.x * SIDE;
  float sums[4][4] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const int row = first_row + t / DEPTH, k = start + t % DEPTH;
    As[t] = row < A.height && k < A.width ? A(row, k) : 0.0f;
    const int k_of_b = start + t / SIDE, col = first_col + t % SIDE;
    Bs[t] = k_of_b < B.height && col < B.width ? B(k_of_b, col) : 0.0f;
    __syncthreads();
    for (int p = 0; p < DEPTH; ++p)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] += As[(y + 8 * i) * DEPTH + p] * Bs[p * SIDE + x + 8 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = first_row + y + 8 * i, col = first_col + x + 8 * j;
      if (row < C.height && col < C.width) C(row, col) = sums[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  return {dim3(ceil_div(n, SIDE), ceil_div(m, SIDE)), dim3(8, 8), 512};
}
