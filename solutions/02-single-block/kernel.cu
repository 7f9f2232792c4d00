// C = A B for small matrices, in a single block that holds all of A and B.
//
// The thread in column x and row y has up to three tasks: copy A[y][x], copy B[y][x], compute
// C[y][x]. The three matrices differ in shape, so each task has its own guard, and the block is as
// wide as the widest and as high as the highest of them. Each element of A and B is loaded from
// global memory once, 32 neighbours by a warp; in the product a warp reads one element of As
// (a broadcast) and neighbouring elements of Bs (no bank conflict).
#include <tessera/lab.cuh>

constexpr int MOST = 1024;  // threads in a block, so no matrix has more elements than that

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[MOST];  // m x k, row after row like A
  __shared__ float Bs[MOST];  // k x n, row after row like B

  const int row = threadIdx.y;
  const int col = threadIdx.x;

  if (row < m && col < k) As[row * k + col] = A[row * k + col];
  if (row < k && col < n) Bs[row * n + col] = B[row * n + col];
  __syncthreads();  // every element has arrived, whoever fetched it

  if (row < m && col < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += As[row * k + p] * Bs[p * n + col];
    }
    C[row * n + col] = sum;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  const int columns = n > k ? n : k;  // A has k columns; B and C have n
  const int rows = m > k ? m : k;     // A and C have m rows; B has k
  return {dim3(1), dim3(columns, rows), 0};
}
