// Lab 12: C = A B, while the next tiles are on their way.
// BEGIN SOLUTION
//
// The tiles and what each thread copies and computes are those of lab 11. Shared memory holds two
// tiles of A and two of B. In each phase a thread stores what it has loaded in the phase before,
// waits at the only barrier, loads what it will store in the next phase, and computes. So the
// values that it loads travel while it computes, and a thread that is ahead stores into the tiles
// that no other thread reads any more: those of the phase before last.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int TILE = 128;         // a block computes TILE x TILE elements of C
constexpr int DEPTH = 8;          // columns of A's tile and rows of B's tile
constexpr int OWN = 8;            // a thread computes OWN x OWN elements
constexpr int SIDE = TILE / OWN;  // a block has SIDE x SIDE threads
constexpr int HALF = TILE / 2;    // from a thread's first four rows or columns to the others

/// The four neighbouring elements that begin with `first`, as one access of 16 bytes. The address
/// of `first` must be a multiple of 16.
__device__ float4& four(float& first) {
  return reinterpret_cast<float4&>(first);
}
__device__ const float4& four(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

/// Stores the parts of a float4 in four elements of an array.
__device__ void unpack(float4 from, float* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

// m and n are multiples of TILE, k is one of DEPTH. The pitches are multiples of 4, and the first
// element of each matrix lies at a multiple of 16 bytes.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. shared memory for two tiles of A (transposed, as in lab 11) and two of B
  //: //   2. load what this thread copies of the first tiles, into registers
  //: //   3. in each phase: store it in one of both pairs of tiles; a barrier; if there is a next
  //: //      phase, load what this thread copies of its tiles; add the products; change the pair
  //: //   4. store the sums, element by element
  __shared__ alignas(16) float As[2][DEPTH][TILE + 4];
  __shared__ alignas(16) float Bs[2][DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int a_row = thread / (DEPTH / 4);  // what this thread copies
  const int a_col = thread % (DEPTH / 4) * 4;
  const int b_row = thread / (TILE / 4);
  const int b_col = thread % (TILE / 4) * 4;
  const int row = threadIdx.y * 4;  // what it computes, and HALF further on
  const int col = threadIdx.x * 4;

  const Matrix<const float> A_rows = A.view(blockIdx.y * TILE, 0, TILE, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * TILE, B.height, TILE);
  float4 next_a = four(A_rows(a_row, a_col));  // of the first tiles
  float4 next_b = four(B_cols(b_row, b_col));

  float sums[OWN][OWN] = {};
  int now = 0;  // which of both pairs this phase uses
  for (int start = 0; start < A.width; start += DEPTH) {
    As[now][a_col][a_row] = next_a.x;
    As[now][a_col + 1][a_row] = next_a.y;
    As[now][a_col + 2][a_row] = next_a.z;
    As[now][a_col + 3][a_row] = next_a.w;
    four(Bs[now][b_row][b_col]) = next_b;
    __syncthreads();  // this pair is complete, and no thread reads the other one any more

    const int next = start + DEPTH;
    if (next < A.width) {
      next_a = four(A_rows(a_row, next + a_col));
      next_b = four(B_cols(next + b_row, b_col));
    }
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float a[OWN], b[OWN];
      unpack(four(As[now][p][row]), a);
      unpack(four(As[now][p][row + HALF]), a + 4);
      unpack(four(Bs[now][p][col]), b);
      unpack(four(Bs[now][p][col + HALF]), b + 4);
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
#pragma unroll
        for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    now = 1 - now;
  }

  const Matrix<float> C_tile = C.view(blockIdx.y * TILE, blockIdx.x * TILE, TILE, TILE);
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j) {
      const int to_row = row + i % 4 + i / 4 * HALF;
      const int to_col = col + j % 4 + j / 4 * HALF;
      C_tile(to_row, to_col) = sums[i][j];
    }
  }
  // END SOLUTION
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
