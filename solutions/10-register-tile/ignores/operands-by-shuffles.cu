// expect: technique/11=fail -- one sum at a time, rows of A handed on by shuffles
#include <tessera/lab.cuh>

constexpr int TILE = 64, DEPTH = 32;

__global__ void __launch_bounds__(1024)
    matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][DEPTH];
  __shared__ __align__(16) float Bs[TILE][DEPTH + 4];  // transposed
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int start = 0; start < A.width; start += DEPTH) {
    for (int i = warp; i < TILE; i += 32)
      As[i][lane] = start + lane < A.width ? A(row0 + i, start + lane) : 0;
    for (int h = 0; h < TILE; h += 32)
      Bs[h + lane][warp] = start + warp < B.height ? B(start + warp, col0 + h + lane) : 0;
    __syncthreads();
    const auto add = [&](float& sum, int row, int col) {
      __syncwarp();
      const float a = As[row][lane];
#pragma unroll
      for (int p = 0; p < DEPTH; p += 4) {
        const float4 b = *reinterpret_cast<const float4*>(&Bs[col][p]);
        sum += __shfl_sync(~0u, a, p) * b.x;
        sum += __shfl_sync(~0u, a, p + 1) * b.y;
        sum += __shfl_sync(~0u, a, p + 2) * b.z;
        sum += __shfl_sync(~0u, a, p + 3) * b.w;
      }
    };
    add(s0, warp / 2, lane + warp % 2 * 32);
    add(s1, warp / 2 + 16, lane + warp % 2 * 32);
    add(s2, warp / 2 + 32, lane + warp % 2 * 32);
    add(s3, warp / 2 + 48, lane + warp % 2 * 32);
    __syncthreads();
  }
  const int row = row0 + warp / 2, col = col0 + lane + warp % 2 * 32;
  C(row, col) = s0;
  C(row + 16, col) = s1;
  C(row + 32, col) = s2;
  C(row + 48, col) = s3;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(1024), 0};
}
