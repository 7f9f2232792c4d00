// Lab 11: C = A B, with 16 bytes in each load and store.
// BEGIN SOLUTION
//
// The tiles are those of lab 10: 128 x 8 elements of A, 8 x 128 of B, 8 x 8 sums a thread. Each
// thread copies four neighbouring elements of A and four of B. The tile of A is transposed while
// it is stored: As[p] holds a column of A's tile, so that the elements that a thread needs for one
// p are neighbours there too. They are in two groups of four, HALF apart. Eight threads that read
// 16 bytes side by side use each bank once.
//
// Rows of As are 4 floats longer than the tile. With 128 floats the elements of columns 0 and 4,
// which one warp stores together, would be in the same banks; with 132 they are 16 banks apart,
// and a row still starts at a multiple of 16 bytes.
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
  //: //   1. shared memory for the tiles, at multiples of 16 bytes (alignas(16)): that of A
  //: //      transposed, so that As[p] holds the elements of column p
  //: //   2. in each phase: every thread copies four neighbours of A and four of B, each with one
  //: //      load; a barrier; for each p it reads its OWN elements of As[p] and of Bs[p] with two
  //: //      loads each, and adds the products; a barrier
  //: //   3. store the sums, four neighbours at a time
  __shared__ alignas(16) float As[DEPTH][TILE + 4];
  __shared__ alignas(16) float Bs[DEPTH][TILE];

  const int thread = threadIdx.y * SIDE + threadIdx.x;
  const int a_row = thread / (DEPTH / 4);  // what this thread copies
  const int a_col = thread % (DEPTH / 4) * 4;
  const int b_row = thread / (TILE / 4);
  const int b_col = thread % (TILE / 4) * 4;
  const int row = threadIdx.y * 4;  // what it computes, and HALF further on
  const int col = threadIdx.x * 4;

  float sums[OWN][OWN] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    const Matrix<const float> A_tile = A.view(blockIdx.y * TILE, start, TILE, DEPTH);
    const Matrix<const float> B_tile = B.view(start, blockIdx.x * TILE, DEPTH, TILE);
    const float4 of_a = four(A_tile(a_row, a_col));
    As[a_col][a_row] = of_a.x;
    As[a_col + 1][a_row] = of_a.y;
    As[a_col + 2][a_row] = of_a.z;
    As[a_col + 3][a_row] = of_a.w;
    four(Bs[b_row][b_col]) = four(B_tile(b_row, b_col));
    __syncthreads();  // both tiles are complete before any thread reads them

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float a[OWN], b[OWN];
      unpack(four(As[p][row]), a);
      unpack(four(As[p][row + HALF]), a + 4);
      unpack(four(Bs[p][col]), b);
      unpack(four(Bs[p][col + HALF]), b + 4);
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
#pragma unroll
        for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();  // all threads have read them before any writes the next ones
  }

  const Matrix<float> C_tile = C.view(blockIdx.y * TILE, blockIdx.x * TILE, TILE, TILE);
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
    const float* sum = sums[i];
    const int to = i < 4 ? row + i : row + HALF + i - 4;
    four(C_tile(to, col)) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    four(C_tile(to, col + HALF)) = make_float4(sum[4], sum[5], sum[6], sum[7]);
  }
  // END SOLUTION
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
