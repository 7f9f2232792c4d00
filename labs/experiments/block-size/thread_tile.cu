// C = A B with EDGE x EDGE elements a thread: fewer threads, more registers, more work between two
// loads.
//
// A block of 16 x 16 threads computes a SIDE x SIDE tile of C. Thread (ty, tx) has the elements in
// rows ty, ty + 16, ... and columns tx, tx + 16, ... of it. In each step of the inner loop it reads
// EDGE elements of either tile and does EDGE * EDGE multiply-adds; with one element a thread it
// would read two for each multiply-add.
#include <tessera/lab.cuh>

constexpr int THREADS = 16;           // along x and y
constexpr int SIDE = THREADS * EDGE;  // of the tile of C
constexpr int DEPTH = 16;             // columns of A's tile, rows of B's

__global__ void thread_tile(const float* A, const float* B, float* C, int n) {
  __shared__ float As[SIDE][DEPTH];
  __shared__ float Bs[DEPTH][SIDE];
  const int ty = threadIdx.y;
  const int tx = threadIdx.x;
  const int row = blockIdx.y * SIDE;
  const int col = blockIdx.x * SIDE;

  float sum[EDGE][EDGE] = {};
  for (int start = 0; start < n; start += DEPTH) {
    for (int e = 0; e < EDGE; ++e) {
      const int i = ty + e * THREADS;
      const int j = tx + e * THREADS;
      As[i][tx] = A[(row + i) * n + start + tx];
      Bs[ty][j] = B[(start + ty) * n + col + j];
    }
    __syncthreads();
    for (int p = 0; p < DEPTH; ++p) {
      float a[EDGE], b[EDGE];
      for (int e = 0; e < EDGE; ++e) {
        a[e] = As[ty + e * THREADS][p];
        b[e] = Bs[p][tx + e * THREADS];
      }
      for (int i = 0; i < EDGE; ++i) {
        for (int j = 0; j < EDGE; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < EDGE; ++i) {
    for (int j = 0; j < EDGE; ++j)
      C[(row + ty + i * THREADS) * n + col + tx + j * THREADS] = sum[i][j];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / SIDE, m / SIDE), dim3(THREADS, THREADS), 0};
}
