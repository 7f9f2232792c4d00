// expect: technique/2=fail -- copied in vectors, but As is not transposed, and read word by word
#include <tessera/lab.cuh>

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int OWN = 8;
constexpr int SIDE = TILE / OWN;
constexpr int HALF = TILE / 2;

__device__ float4& four(float& first) {
  return reinterpret_cast<float4&>(first);
}
__device__ const float4& four(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

__device__ void unpack(float4 from, float* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) float As[TILE][DEPTH];
  __shared__ alignas(16) float Bs[DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int a_row = thread / (DEPTH / 4);
  const int a_col = thread % (DEPTH / 4) * 4;
  const int b_row = thread / (TILE / 4);
  const int b_col = thread % (TILE / 4) * 4;

  float sums[OWN][OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const Matrix<const float> A_tile = A.view(blockIdx.y * TILE, start, TILE, DEPTH);
    const Matrix<const float> B_tile = B.view(start, blockIdx.x * TILE, DEPTH, TILE);
    four(As[a_row][a_col]) = four(A_tile(a_row, a_col));
    four(Bs[b_row][b_col]) = four(B_tile(b_row, b_col));
    __syncthreads();

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float a[OWN], b[OWN];
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        a[i] = As[threadIdx.y + i * SIDE][p];
        b[i] = Bs[p][threadIdx.x + i * SIDE];
      }
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
#pragma unroll
        for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }

  const Matrix<float> C_tile = C.view(blockIdx.y * TILE, blockIdx.x * TILE, TILE, TILE);
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j)
      C_tile(threadIdx.y + i * SIDE, threadIdx.x + j * SIDE) = sums[i][j];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
