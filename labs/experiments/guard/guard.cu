// S5's kernel CC (threadIdx.x on rows, both tiles stored transposed) for any n: where a tile sticks
// out over the edge it is filled with zeros. The guard of the two loads is written in four ways.
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

// First row and column of C, which do not change; then the place in the phase, which does.
__global__ void row_first(const float* A, const float* B, float* C, int n) {
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    const float a = row < n && start + j < n ? A[row * n + start + j] : 0.0f;
    const float b = col < n && start + i < n ? B[(start + i) * n + col] : 0.0f;
    sum = add_phase(a, b, sum);
  }
  if (row < n && col < n) C[row * n + col] = sum;
}

// The other way round.
__global__ void phase_first(const float* A, const float* B, float* C, int n) {
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    const float a = start + j < n && row < n ? A[row * n + start + j] : 0.0f;
    const float b = start + i < n && col < n ? B[(start + i) * n + col] : 0.0f;
    sum = add_phase(a, b, sum);
  }
  if (col < n && row < n) C[row * n + col] = sum;
}

// The comparisons that do not change are made once.
__global__ void row_before(const float* A, const float* B, float* C, int n) {
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;
  const bool has_row = row < n;
  const bool has_col = col < n;
  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    const float a = has_row && start + j < n ? A[row * n + start + j] : 0.0f;
    const float b = has_col && start + i < n ? B[(start + i) * n + col] : 0.0f;
    sum = add_phase(a, b, sum);
  }
  if (has_row && has_col) C[row * n + col] = sum;
}

// Only the last phase can stick out along k: all before it compare only row and column.
__global__ void last_alone(const float* A, const float* B, float* C, int n) {
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;
  const bool has_row = row < n;
  const bool has_col = col < n;
  float sum = 0.0f;
  int start = 0;
  for (; start + BLOCK <= n; start += BLOCK) {
    const float a = has_row ? A[row * n + start + j] : 0.0f;
    const float b = has_col ? B[(start + i) * n + col] : 0.0f;
    sum = add_phase(a, b, sum);
  }
  if (start < n) {
    const float a = has_row && start + j < n ? A[row * n + start + j] : 0.0f;
    const float b = has_col && start + i < n ? B[(start + i) * n + col] : 0.0f;
    sum = add_phase(a, b, sum);
  }
  if (has_row && has_col) C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, BLOCK), ceil_div(n, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
