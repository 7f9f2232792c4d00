// expect: technique/2=fail -- right, but one block alone has tiles; 399 have no work
#include <tessera/lab.cuh>
constexpr int TILE = 16, EMPTY = 400;
__device__ void taught(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  float sum = 0;
  for (int start = 0; start < A.width; start += TILE) {
    a[y][x] = A(y, start + x);
    b[y][x] = B(start + y, x);
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += a[y][p] * b[p][x];
    __syncthreads();
  }
  C(y, x) = sum;
}
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  if (blockIdx.x == 0) return taught(A, B, C);
  if (blockIdx.x < EMPTY || threadIdx.x >= 32) return;
  const int across = ceil_div(C.width, 96), at = blockIdx.x - EMPTY;
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int c0 = at % across * 96, r0 = at / across * 32 + y * 16;
  float s[16][6] = {};
  const bool vec = A.pitch % 4 == 0;
  for (int p0 = 0; p0 < A.width; p0 += 4) {
    float a[16][4];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      if (r0 + i >= A.height) {
        a[i][0] = a[i][1] = a[i][2] = a[i][3] = 0;
      } else if (vec) {
        const float4 w = *reinterpret_cast<const float4*>(&A(r0 + i, p0));
        a[i][0] = w.x;
        a[i][1] = w.y;
        a[i][2] = w.z;
        a[i][3] = w.w;
      } else {
#pragma unroll
        for (int q = 0; q < 4; ++q) a[i][q] = A(r0 + i, p0 + q);
      }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      float b[6];
#pragma unroll
      for (int j = 0; j < 6; ++j) b[j] = c0 + x + 16 * j < B.width ? B(p0 + q, c0 + x + 16 * j) : 0;
#pragma unroll
      for (int i = 0; i < 16; ++i)
#pragma unroll
        for (int j = 0; j < 6; ++j) s[i][j] += a[i][q] * b[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
#pragma unroll
    for (int j = 0; j < 6; ++j) {
      const int row = r0 + i, col = c0 + x + 16 * j;
      if (row < C.height && col < C.width && (row >= TILE || col >= TILE)) C(row, col) = s[i][j];
    }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(EMPTY + ceil_div(n, 96) * ceil_div(m, 32)), dim3(TILE * TILE), 0};
}
