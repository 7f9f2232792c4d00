// expect: technique/12=fail -- both tiles as given; a warp reads A's tile row by row, and takes its
// column by shuffles
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE * TILE];
  __shared__ float Bs[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int t = y * TILE + x;
  const int row = blockIdx.x * TILE;
  const int col = blockIdx.y * TILE;
  float sum = 0.0f;
  for (int first = 0; first < k; first += TILE) {
    As[t] = A[(row + y) * k + first + x];
    Bs[y][x] = B[(first + y) * n + col + x];
    __syncthreads();
    float pairs[TILE / 2];  // of rows of A's tile, two for each register of a warp
#pragma unroll
    for (int r = 0; r < TILE / 2; ++r) pairs[r] = As[r * 32 + t % 32];
    for (int p = 0; p < TILE; ++p) {
      float a = 0.0f;
#pragma unroll
      for (int r = 0; r < TILE / 2; ++r) {
        const float taken = __shfl_sync(0xffffffff, pairs[r], x % 2 * TILE + p);
        if (x / 2 == r) a = taken;
      }
      sum += a * Bs[p][y];
    }
    __syncthreads();
  }
  C[(row + x) * n + col + y] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / TILE, n / TILE), dim3(TILE, TILE), 0};
}
