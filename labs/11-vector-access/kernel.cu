// Lab 11: C = A B, with 16 bytes in each load and store.
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
  // YOUR CODE HERE
  //   1. shared memory for the tiles, at multiples of 16 bytes (alignas(16)): that of A
  //      transposed, so that As[p] holds the elements of column p
  //   2. in each phase: every thread copies four neighbours of A and four of B, each with one
  //      load; a barrier; for each p it reads its OWN elements of As[p] and of Bs[p] with two
  //      loads each, and adds the products; a barrier
  //   3. store the sums, four neighbours at a time
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
