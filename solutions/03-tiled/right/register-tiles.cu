// A block computes 64 x 64 elements, a thread 4 x 4 of them: tiles of 64 x 16 and 16 x 64, loaded
// four at a time where rows begin at multiples of four, and read four at a time as well.
#include <tessera/lab.cuh>

constexpr int SIDE = 64;
constexpr int DEPTH = 16;
constexpr int EACH = 4;
constexpr int BLOCK = SIDE / EACH;

/// Four neighbours, zeros beyond the edge.
__device__ float4 four_of(const Matrix<const float>& matrix, int row, int col) {
  if (row >= matrix.height) return {0, 0, 0, 0};
  const float* from = matrix.data + row * matrix.pitch + col;
  if (matrix.pitch % 4 == 0 && col + 4 <= matrix.width)
    return *reinterpret_cast<const float4*>(from);
  return {col < matrix.width ? from[0] : 0, col + 1 < matrix.width ? from[1] : 0,
          col + 2 < matrix.width ? from[2] : 0, col + 3 < matrix.width ? from[3] : 0};
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float4 As[DEPTH][SIDE / 4 + 1];  // transposed: four rows of A side by side
  __shared__ float4 Bs[DEPTH][SIDE / 4];
  const int first_row = blockIdx.y * SIDE;
  const int first_col = blockIdx.x * SIDE;
  const int t = threadIdx.y * BLOCK + threadIdx.x;

  float sum[EACH][EACH] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const float4 a = four_of(A, first_row + t / 4, start + t % 4 * 4);
    float* to = reinterpret_cast<float*>(&As[t % 4 * 4][0]) + t / 4;
    const int next = (SIDE / 4 + 1) * 4;
    to[0] = a.x;
    to[next] = a.y;
    to[2 * next] = a.z;
    to[3 * next] = a.w;
    Bs[t / 16][t % 16] = four_of(B, start + t / 16, first_col + t % 16 * 4);
    __syncthreads();
    for (int p = 0; p < DEPTH; ++p) {
      const float4 a4 = As[p][threadIdx.y];
      const float4 b4 = Bs[p][threadIdx.x];
      const float rows[EACH] = {a4.x, a4.y, a4.z, a4.w};
      const float cols[EACH] = {b4.x, b4.y, b4.z, b4.w};
      for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) sum[i][j] += rows[i] * cols[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < EACH; ++i) {
    for (int j = 0; j < EACH; ++j) {
      const int row = first_row + threadIdx.y * EACH + i;
      const int col = first_col + threadIdx.x * EACH + j;
      if (row < C.height && col < C.width) C(row, col) = sum[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, SIDE), ceil_div(m, SIDE)), dim3(BLOCK, BLOCK), 0};
}
