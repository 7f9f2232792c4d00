// expect: technique/6=fail -- tiles as given (RR): lanes take turns, and load four elements in each
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float As[TILE][TILE];
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
    for (int p = 0; p < TILE; p += 4) {
      float4 a = {};
      for (int turn = 0; turn < 4; ++turn) {
        if (i / 2 % 4 == turn) a = *reinterpret_cast<const float4*>(&As[i][p]);
        __syncwarp();
      }
      sum += a.x * Bs[p][j];
      sum += a.y * Bs[p + 1][j];
      sum += a.z * Bs[p + 2][j];
      sum += a.w * Bs[p + 3][j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
