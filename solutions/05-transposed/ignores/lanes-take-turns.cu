// expect: technique/6=fail -- tiles as given (RR): lanes that would conflict take eight turns
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;
  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    const float a_element = A[row * k + start + j];
    const float b_element = B[(start + i) * n + col];
    for (int turn = 0; turn < 8; ++turn) {
      if (i / 2 == turn) As[i][j] = a_element;
      __syncwarp();
      if (i / 2 == turn) Bs[i][j] = b_element;
      __syncwarp();
    }
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      float a = 0.0f;
      for (int turn = 0; turn < 8; ++turn) {
        if (i / 2 == turn) a = As[i][p];
        __syncwarp();
      }
      sum += a * Bs[p][j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / TILE, n / TILE), dim3(TILE, TILE), 0};
}
