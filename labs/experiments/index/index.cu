// S5's kernel CC (threadIdx.x on rows, both tiles stored transposed), with the addresses of the two
// global loads computed in three ways.
#include <tessera/lab.cuh>

// One phase: stores the thread's two elements in the tiles, and adds BLOCK products to the sum.
__device__ float add_phase(float a, float b, float sum) {
  __shared__ float At[BLOCK][BLOCK];
  __shared__ float Bt[BLOCK][BLOCK];
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  At[j][i] = a;
  Bt[j][i] = b;
  __syncthreads();
  for (int p = 0; p < BLOCK; ++p) sum += At[p][i] * Bt[j][p];
  __syncthreads();
  return sum;
}

// The plain way: an index into the whole matrix in every phase.
__global__ void as_written(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  const int col = blockIdx.y * BLOCK + threadIdx.y;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    const float a = A[row * n + start + threadIdx.y];
    const float b = B[(start + threadIdx.x) * n + col];
    sum = add_phase(a, b, sum);
  }
  C[row * n + col] = sum;
}

// Hoisted by hand: two pointers that advance by a tile.
__global__ void hoisted(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  const int col = blockIdx.y * BLOCK + threadIdx.y;
  const float* a = A + row * n + threadIdx.y;
  const float* b = B + threadIdx.x * n + col;
  const float* const end = a + n;
  const int step = BLOCK * n;
  float sum = 0.0f;
  for (; a < end; a += BLOCK, b += step) sum = add_phase(*a, *b, sum);
  C[row * n + col] = sum;
}

// The opposite: row and column computed again in every phase.
__global__ void recomputed(const float* A, const float* B, float* C, int n) {
  float sum = 0.0f;
  for (int phase = 0; phase < n / BLOCK; ++phase) {
    const float a = A[(blockIdx.x * BLOCK + threadIdx.x) * n + phase * BLOCK + threadIdx.y];
    const float b = B[(phase * BLOCK + threadIdx.x) * n + blockIdx.y * BLOCK + threadIdx.y];
    sum = add_phase(a, b, sum);
  }
  C[(blockIdx.x * BLOCK + threadIdx.x) * n + blockIdx.y * BLOCK + threadIdx.y] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 0};
}
