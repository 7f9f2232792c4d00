// expect: technique/5=fail -- vectors straight from global memory
#include <tessera/lab.cuh>

constexpr int TILE = 128, OWN = 8, SIDE = TILE / OWN;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * TILE + threadIdx.y * 8, col = blockIdx.x * TILE + threadIdx.x * 4;
  float4 sums[OWN][2] = {};
  for (int p = 0; p < A.width; p += 4) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const float4 b0 = *reinterpret_cast<const float4*>(&B(p + q, col));
      const float4 b1 = *reinterpret_cast<const float4*>(&B(p + q, col + 64));
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        const float a = A(row + i, p + q);
        sums[i][0].x += a * b0.x;
        sums[i][0].y += a * b0.y;
        sums[i][0].z += a * b0.z;
        sums[i][0].w += a * b0.w;
        sums[i][1].x += a * b1.x;
        sums[i][1].y += a * b1.y;
        sums[i][1].z += a * b1.z;
        sums[i][1].w += a * b1.w;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
    *reinterpret_cast<float4*>(&C(row + i, col)) = sums[i][0];
    *reinterpret_cast<float4*>(&C(row + i, col + 64)) = sums[i][1];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
