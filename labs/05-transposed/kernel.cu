// Lab 05: tiles stored transposed, so that no warp reads down a column of shared memory.
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

// Given: a tiled product in which threadIdx.x walks down the rows of C, and both tiles are stored
// as they are (RR: A row by row, B row by row). It is right, and slow. Every extent is a multiple
// of TILE.
__global__ void matmul_rr(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];  // As[i][p]: element (i, p) of the tile of A
  __shared__ float Bs[TILE][TILE];  // Bs[p][j]: element (p, j) of the tile of B

  const int i = threadIdx.x;  // row in the tile of C
  const int j = threadIdx.y;  // column in the tile of C
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    As[i][j] = A[row * k + start + j];
    Bs[i][j] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      sum += As[i][p] * Bs[p][j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// To write: the same product with the same threads for the same elements, but with both tiles
// stored transposed (CC). Start from a copy of matmul_rr.
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  // YOUR CODE HERE
}

// Given, for both kernels: blocks along x cover the rows of C, as threadIdx.x does.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
