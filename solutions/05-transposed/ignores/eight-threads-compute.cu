// expect: technique/10=fail -- tiles as given (RR): eight threads compute a block's results
#include <tessera/lab.cuh>
constexpr int TILE = 16;
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float4 As[TILE][TILE / 4], Bs[TILE][TILE / 4];
  __shared__ float Cs[TILE * TILE];
  const int x = threadIdx.x, y = threadIdx.y, t = y * TILE + x;
  const int row0 = blockIdx.x * TILE, col0 = blockIdx.y * TILE;
  const int r = t & 1, c = t >> 1 & 3;  // of the first eight threads
  float sum[8][4] = {};
  for (int s = 0; s < k; s += TILE) {
    reinterpret_cast<float*>(As)[t] = A[(row0 + y) * k + s + x];
    reinterpret_cast<float*>(Bs)[t] = B[(s + y) * n + col0 + x];
    __syncthreads();
    if (t < 8) {
#pragma unroll
      for (int q = 0; q < TILE / 4; ++q) {
        float4 b[4];
#pragma unroll
        for (int e = 0; e < 4; ++e) b[e] = Bs[4 * q + e][c];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const float4 v = As[2 * i + r][q];
          const float a[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            sum[i][0] += a[e] * b[e].x;
            sum[i][1] += a[e] * b[e].y;
            sum[i][2] += a[e] * b[e].z;
            sum[i][3] += a[e] * b[e].w;
          }
        }
      }
    }
    __syncthreads();
  }
  if (t < 8) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e) Cs[(e * 4 + c) * 16 + ((2 * i + r) ^ (8 * (c >> 1)))] = sum[i][e];
  }
  __syncthreads();
  const int col = (y & 3) * 4 + (y >> 2);
  C[(row0 + x) * n + col0 + col] = Cs[y * 16 + (x ^ (8 * (y >> 1 & 1)))];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / TILE, n / TILE), dim3(TILE, TILE), 0};
}
