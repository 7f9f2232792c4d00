// C = A B with threadIdx.x on rows and both tiles stored transposed (CC). Every extent is a
// multiple of TILE.
//
// A block computes one TILE x TILE tile of C, a thread one element; threadIdx.x walks down rows, so
// a warp covers 16 rows of 2 columns. In shared memory all that a warp touches at once now lies
// side by side: it stores At[j][i] and Bt[j][i] into 32 neighbouring words, and reads At[p][i] from
// 16 neighbouring words and Bt[j][p] from 2 words in different banks. No access has a bank
// conflict. Global memory is as before: the warp reads and writes one or two elements in each of 16
// rows, 16 sectors a request, which no layout of the tiles can repair.
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float At[TILE][TILE];  // At[p][i]: element (i, p) of the tile of A
  __shared__ float Bt[TILE][TILE];  // Bt[j][p]: element (p, j) of the tile of B

  const int i = threadIdx.x;  // row in the tile of C
  const int j = threadIdx.y;  // column in the tile of C
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    At[j][i] = A[row * k + start + j];    // element (i, j) of the tile of A
    Bt[j][i] = B[(start + i) * n + col];  // element (i, j) of the tile of B
    __syncthreads();                      // both tiles are complete before anybody reads them

    for (int p = 0; p < TILE; ++p) {
      sum += At[p][i] * Bt[j][p];
    }
    __syncthreads();  // everybody has read them before anybody writes the next ones
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
