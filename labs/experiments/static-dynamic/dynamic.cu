// The same product with tiles in dynamic shared memory, which the kernel divides. In `known` the
// compiler still knows how large a tile is, in `unknown` it does not.
#include <tessera/lab.cuh>

__device__ void multiply(const float* A, const float* B, float* C, int n, int block) {
  extern __shared__ float shared[];
  float* At = shared;                  // At[p * block + i]: element (i, p) of A's tile
  float* Bt = shared + block * block;  // Bt[j * block + p]: element (p, j) of B's tile
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * block + i;
  const int col = blockIdx.y * block + j;

  float sum = 0.0f;
  for (int start = 0; start < n; start += block) {
    At[j * block + i] = A[row * n + start + j];
    Bt[j * block + i] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < block; ++p) sum += At[p * block + i] * Bt[j * block + p];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__global__ void known(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, BLOCK);
}

__global__ void unknown(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, blockDim.x);
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 2 * BLOCK * BLOCK * sizeof(float)};
}
