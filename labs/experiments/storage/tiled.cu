// C = A B through tiles in shared memory, which are stored by rows or by columns.
//
// A block computes one block x block tile of C, a thread one element of it. In a tile that is
// stored by rows, element (i, j) is word i * block + j; by columns it is word j * block + i. The
// kernel gets the size from its launch, so the compiler cannot unroll the loop and merge four loads
// into one: the counters are those of this source.
#include <tessera/lab.cuh>

enum Stored { by_rows, by_columns };

__device__ int word(Stored stored, int i, int j) {
  const int block = blockDim.x;
  return stored == by_rows ? i * block + j : j * block + i;
}

// (i, j) is the thread's place in the tiles.
template <Stored A_tile, Stored B_tile>
__device__ void multiply(const float* A, const float* B, float* C, int n, int i, int j, int row,
                         int col) {
  extern __shared__ float shared[];
  const int block = blockDim.x;
  float* As = shared;
  float* Bs = shared + block * block;

  float sum = 0.0f;
  for (int start = 0; start < n; start += block) {
    As[word(A_tile, i, j)] = A[row * n + start + j];
    Bs[word(B_tile, i, j)] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < block; ++p) sum += As[word(A_tile, i, p)] * Bs[word(B_tile, p, j)];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// threadIdx.x walks down rows: a warp reads a column of A's tile.
template <Stored A_tile, Stored B_tile>
__device__ void x_on_rows(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  multiply<A_tile, B_tile>(A, B, C, n, threadIdx.x, threadIdx.y, row, col);
}

// First letter: A's tile by rows or by columns. Second letter: B's.
__global__ void rr(const float* A, const float* B, float* C, int n) {
  x_on_rows<by_rows, by_rows>(A, B, C, n);
}
__global__ void rc(const float* A, const float* B, float* C, int n) {
  x_on_rows<by_rows, by_columns>(A, B, C, n);
}
__global__ void cr(const float* A, const float* B, float* C, int n) {
  x_on_rows<by_columns, by_rows>(A, B, C, n);
}
__global__ void cc(const float* A, const float* B, float* C, int n) {
  x_on_rows<by_columns, by_columns>(A, B, C, n);
}

// RR again, but threadIdx.x walks along columns: a warp touches neighbouring elements, in global
// memory too. The grid is square, so that x and y may be exchanged.
__global__ void x_on_columns(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  multiply<by_rows, by_rows>(A, B, C, n, threadIdx.y, threadIdx.x, row, col);
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 2 * BLOCK * BLOCK * sizeof(float)};
}
