// expect: race -- indices of elements in 16 bits
#include <tessera/lab.cuh>

constexpr int TILE = 128;         // a block computes TILE x TILE elements of C
constexpr int DEPTH = 8;          // columns of A's tile and rows of B's tile
constexpr int OWN = 8;            // a thread computes OWN x OWN elements
constexpr int SIDE = TILE / OWN;  // a block has SIDE x SIDE threads
constexpr int THREADS = SIDE * SIDE;

// m and n are multiples of TILE, k is one of DEPTH.
__device__ unsigned short at(int row, int col, int pitch) {
  return row * pitch + col;
}
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][DEPTH];
  __shared__ float Bs[DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int first_row = blockIdx.y * TILE;  // where this block's tile of C starts
  const int first_col = blockIdx.x * TILE;

  float sums[OWN][OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
#pragma unroll
    for (int copied = 0; copied < TILE * DEPTH; copied += THREADS) {
      const int i = copied + thread;
      As[i / DEPTH][i % DEPTH] = A.data[at(first_row + i / DEPTH, start + i % DEPTH, A.pitch)];
      Bs[i / TILE][i % TILE] = B.data[at(start + i / TILE, first_col + i % TILE, B.pitch)];
    }
    __syncthreads();  // both tiles are complete before any thread reads them

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
    __syncthreads();  // all threads have read them before any writes the next ones
  }

#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j)
      C.data[at(first_row + threadIdx.y + i * SIDE, first_col + threadIdx.x + j * SIDE, C.pitch)] =
          sums[i][j];
  }
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
