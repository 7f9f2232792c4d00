// Lab 02: C = A B for small matrices, in a single block that holds all of A and B.
// BEGIN SOLUTION
//
// The thread in column x and row y has up to three tasks: copy A[y][x], copy B[y][x], compute
// C[y][x]. The three matrices differ in shape, so each task has its own guard, and the block is as
// wide as the widest and as high as the highest of them. Each element of A and B is loaded from
// global memory once, 32 neighbours by a warp; in the product a warp reads one element of As
// (a broadcast) and neighbouring elements of Bs (no bank conflict).
// END SOLUTION
#include <tessera/lab.cuh>

// BEGIN SOLUTION
constexpr int MOST = 1024;  // threads in a block, so no matrix has more elements than that

// END SOLUTION
// A is m x k, B is k x n, C is m x n, row after row without gaps. The shapes are so small that one
// block has a thread for every element of each of the three; and a block has at most 1,024 threads.
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. two arrays of 1,024 floats in shared memory: no matrix has more elements
  //: //   2. each thread copies at most one element of A and one of B; each copy has a guard
  //: //   3. the barrier
  //: //   4. each thread that has an element of C computes it from shared memory
  __shared__ float As[MOST];  // m x k, row after row like A
  __shared__ float Bs[MOST];  // k x n, row after row like B

  const int row = threadIdx.y;
  const int col = threadIdx.x;

  if (row < m && col < k) As[row * k + col] = A[row * k + col];
  if (row < k && col < n) Bs[row * n + col] = B[row * n + col];
  __syncthreads();  // every element is in shared memory, whichever thread copied it

  if (row < m && col < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += As[row * k + p] * Bs[p * n + col];
    }
    C[row * n + col] = sum;
  }
  // END SOLUTION
}

// One block. How many threads, so that each element of A, of B and of C has one?
__host__ __device__ Launch launch(int m, int n, int k) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: return {dim3(1), dim3(1, 1), 0};
  const int columns = n > k ? n : k;  // A has k columns; B and C have n
  const int rows = m > k ? m : k;     // A and C have m rows; B has k
  return {dim3(1), dim3(columns, rows), 0};
  // END SOLUTION
}
