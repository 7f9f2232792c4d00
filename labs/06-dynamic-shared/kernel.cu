// Lab 06: C = A B with tiles whose size is chosen at run time.
#include <tessera/lab.cuh>

// Any extents, rows may be padded. A tile has block x block elements, a block as many threads;
// block is 4, 8, 16 or 32, and the compiler does not know which.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  // YOUR CODE HERE
  //   Start from your kernel of lab 04. What has to change:
  //   1. no array of fixed size: one `extern __shared__` array, whose bytes launch asks for
  //   2. the tile of A lies at its start, the tile of B after it
  //   3. rows of a tile are block elements apart, so index them yourself
}

// The grid and the block are given. How many bytes of shared memory do two tiles take?
__host__ __device__ Launch launch(int m, int n, int k, int block) {
  const unsigned int shared_bytes = 0;  // YOUR CODE HERE
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), shared_bytes};
}
