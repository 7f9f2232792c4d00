// One element of C a thread, threadIdx.x along columns: with explicit tiles, and with what the L1
// cache happens to hold.
#include <tessera/lab.cuh>

// A block loads every element of a tile once, and reads it BLOCK times from shared memory.
__global__ void tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[BLOCK][BLOCK];
  __shared__ float Bs[BLOCK][BLOCK];
  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * BLOCK + i;
  const int col = blockIdx.x * BLOCK + j;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    As[i][j] = A[row * n + start + j];
    Bs[i][j] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < BLOCK; ++p) sum += As[i][p] * Bs[p][j];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// The naive kernel: a block loads every element BLOCK times, from the cache if it still holds the
// element.
__global__ void cached(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  float sum = 0.0f;
  for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + col];
  C[row * n + col] = sum;
}

// The naive kernel whose warps wait for each other after BLOCK steps, so that all warps of a
// block read the same lines at about the same time.
__global__ void cached_in_phases(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    for (int p = start; p < start + BLOCK; ++p) sum += A[row * n + p] * B[p * n + col];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / BLOCK, m / BLOCK), dim3(BLOCK, BLOCK), 0};
}
