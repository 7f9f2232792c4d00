// expect: technique/8=fail -- loads are waited for after arithmetic without use
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
  __shared__ alignas(16) float As[2][DEPTH][TILE + 4];
  __shared__ alignas(16) float Bs[2][DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int a_row = thread / (DEPTH / 4);
  const int a_col = thread % (DEPTH / 4) * 4;
  const int b_row = thread / (TILE / 4);
  const int b_col = thread % (TILE / 4) * 4;
  const int row = threadIdx.y * 4;
  const int col = threadIdx.x * 4;

  const Matrix<const float> A_rows = A.view(blockIdx.y * TILE, 0, TILE, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * TILE, B.height, TILE);
  float4 next_a, next_b;

  float sums[OWN][OWN] = {};
  int now = 0;
  for (int start = 0; start < A.width; start += DEPTH) {
    next_a = four(A_rows(a_row, start + a_col));
    next_b = four(B_cols(start + b_row, b_col));
    __syncwarp();  // keeps the loads in front
    float idle = static_cast<float>(start);
#pragma unroll 1
    for (int i = 0; i < 27; ++i) {
      idle = idle * 0.5f + 1.0f;
      idle = idle * 0.5f + 1.0f;
      idle = idle * 0.5f + 1.0f;
      idle = idle * 0.5f + 1.0f;
    }
    if (idle < 0) sums[0][0] = 0;  // never
    As[now][a_col][a_row] = next_a.x;
    As[now][a_col + 1][a_row] = next_a.y;
    As[now][a_col + 2][a_row] = next_a.z;
    As[now][a_col + 3][a_row] = next_a.w;
    four(Bs[now][b_row][b_col]) = next_b;
    __syncthreads();

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float a[OWN], b[OWN];
      unpack(four(As[now][p][row]), a);
      unpack(four(As[now][p][row + HALF]), a + 4);
      unpack(four(Bs[now][p][col]), b);
      unpack(four(Bs[now][p][col + HALF]), b + 4);
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
#pragma unroll
        for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    now = 1 - now;
  }

  const Matrix<float> C_tile = C.view(blockIdx.y * TILE, blockIdx.x * TILE, TILE, TILE);
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j) {
      const int to_row = row + i % 4 + i / 4 * HALF;
      const int to_col = col + j % 4 + j / 4 * HALF;
      C_tile(to_row, to_col) = sums[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
