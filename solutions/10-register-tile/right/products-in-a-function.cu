// The products of a phase stand in a function.
#include <tessera/lab.cuh>

constexpr int TILE = 128;         // a block computes TILE x TILE elements of C
constexpr int DEPTH = 8;          // columns of A's tile and rows of B's tile
constexpr int OWN = 8;            // a thread computes OWN x OWN elements
constexpr int SIDE = TILE / OWN;  // a block has SIDE x SIDE threads
constexpr int THREADS = SIDE * SIDE;

__device__ void multiply(const float (&As)[TILE][DEPTH], const float (&Bs)[DEPTH][TILE],
                         float (&sums)[OWN][OWN]) {
#pragma unroll
  for (int p = 0; p < DEPTH; ++p) {
    float a[OWN], b[OWN];
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
      a[i] = As[threadIdx.y + i * SIDE][p];
      b[i] = Bs[p][threadIdx.x + i * SIDE];
    }
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
#pragma unroll
      for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
    }
  }
}

// m and n are multiples of TILE, k is one of DEPTH.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][DEPTH];
  __shared__ float Bs[DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int first_row = blockIdx.y * TILE;  // where this block's tile of C starts
  const int first_col = blockIdx.x * TILE;

  float sums[OWN][OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const Matrix<const float> A_tile = A.view(first_row, start, TILE, DEPTH);
    const Matrix<const float> B_tile = B.view(start, first_col, DEPTH, TILE);
#pragma unroll
    for (int copied = 0; copied < TILE * DEPTH; copied += THREADS) {
      const int i = copied + thread;
      As[i / DEPTH][i % DEPTH] = A_tile(i / DEPTH, i % DEPTH);
      Bs[i / TILE][i % TILE] = B_tile(i / TILE, i % TILE);
    }
    __syncthreads();  // both tiles are complete before any thread reads them

    multiply(As, Bs, sums);
    __syncthreads();  // all threads have read them before any writes the next ones
  }

  const Matrix<float> C_tile = C.view(first_row, first_col, TILE, TILE);
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j)
      C_tile(threadIdx.y + i * SIDE, threadIdx.x + j * SIDE) = sums[i][j];
  }
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
