// expect: technique/9=fail -- each load brings a word, and shuffles hand the words on
#include <tessera/lab.cuh>

constexpr int TILE = 128, DEPTH = 8, OWN = 8, SIDE = TILE / OWN;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int lx = lane % 8, ly = lane / 8, wx = warp % 2, wy = warp / 2;
  const int a_row = thread / 2, a_col = thread % 2 * 4, b_row = thread / 32,
            b_col = thread % 32 * 4;
  const Matrix<const float> A_rows = A.view(blockIdx.y * TILE, 0, TILE, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * TILE, B.height, TILE);
  float sums[OWN][OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const float4 a4 = *reinterpret_cast<const float4*>(&A_rows(a_row, start + a_col));
    const float4 b4 = *reinterpret_cast<const float4*>(&B_cols(start + b_row, b_col));
    As[a_col][a_row] = a4.x;
    As[a_col + 1][a_row] = a4.y;
    As[a_col + 2][a_row] = a4.z;
    As[a_col + 3][a_row] = a4.w;
    Bs[b_row][b_col] = b4.x;
    Bs[b_row][b_col + 1] = b4.y;
    Bs[b_row][b_col + 2] = b4.z;
    Bs[b_row][b_col + 3] = b4.w;
    __syncthreads();
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      const float av = As[p][wy * 4 + lane % 4 + 16 * (lane / 4)];
      const float bv[2] = {Bs[p][wx * 8 + lane % 8 + 16 * (lane / 8)],
                           Bs[p][wx * 8 + lane % 8 + 16 * (lane / 8) + 64]};
      float a[OWN], b[OWN];
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        a[i] = __shfl_sync(~0u, av, ly + 4 * i);
        b[i] = __shfl_sync(~0u, bv[i / 4], lx + 8 * (i % 4));
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
    for (int j = 0; j < OWN; ++j) C_tile(wy * 4 + ly + 16 * i, wx * 8 + lx + 16 * j) = sums[i][j];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE * SIDE), 0};
}
