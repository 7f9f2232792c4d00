// Lab 06: C = A B with tiles whose size is chosen at run time.
// BEGIN SOLUTION
//
// A block computes one block x block tile of C, a thread one element, in phases, with zeros where a
// tile sticks out: the kernel of lab 04. Only the place of the tiles differs: a block gets one
// piece of shared memory, which the kernel divides in two, As first and Bs after it. The element
// in row i and column j of a tile is As[i * block + j]. threadIdx.x runs along columns, so a warp
// copies neighbouring elements, reads As as a broadcast and Bs from neighbouring banks.
// END SOLUTION
#include <tessera/lab.cuh>

// Any extents, rows may be padded. A tile has block x block elements, a block as many threads;
// block is 4, 8, 16 or 32, and the compiler does not know which.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   Start from your kernel of lab 04. What has to change:
  //: //   1. no array of fixed size: one `extern __shared__` array, whose bytes launch asks for
  //: //   2. the tile of A lies at its start, the tile of B after it
  //: //   3. rows of a tile are block elements apart, so index them yourself
  extern __shared__ float shared[];  // 2 * block * block floats; launch asks for them
  float* As = shared;
  float* Bs = shared + block * block;  // counted in floats, not in bytes

  const int i = threadIdx.y;  // place in a tile
  const int j = threadIdx.x;
  const int row = blockIdx.y * block + i;  // in C, perhaps outside
  const int col = blockIdx.x * block + j;
  const int k = A.width;

  float sum = 0.0f;
  for (int start = 0; start < k; start += block) {
    As[i * block + j] = row < A.height && start + j < k ? A(row, start + j) : 0.0f;
    Bs[i * block + j] = start + i < k && col < B.width ? B(start + i, col) : 0.0f;
    __syncthreads();  // both tiles are complete before any thread reads them

    for (int p = 0; p < block; ++p) {
      sum += As[i * block + p] * Bs[p * block + j];
    }
    __syncthreads();  // all threads have read them before any writes the next ones
  }

  if (row < C.height && col < C.width) C(row, col) = sum;
  // END SOLUTION
}

// The grid and the block are given. How many bytes of shared memory do two tiles take?
__host__ __device__ Launch launch(int m, int n, int k, int block) {
  // BEGIN SOLUTION
  //: const unsigned int shared_bytes = 0;  // YOUR CODE HERE
  const unsigned int shared_bytes = 2 * block * block * sizeof(float);
  // END SOLUTION
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), shared_bytes};
}
