// expect: misaligned -- a row may be whole float2 and begin at an address that is not
#include <tessera/lab.cuh>

// The elements of M in columns col and col + 1, zeros beyond the edge.
__device__ float2 two_of(const Matrix<const float>& M, int row, int col) {
  if (row >= M.height) return {0.0f, 0.0f};
  if (M.width % 2 == 0 && col < M.width) return *reinterpret_cast<const float2*>(&M(row, col));
  return {col < M.width ? M(row, col) : 0.0f, col + 1 < M.width ? M(row, col + 1) : 0.0f};
}

// A block of block / 2 x block threads computes a tile of block x block elements, a thread two.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float2 shared[];
  const int pairs = block / 2;  // in a row of a tile
  float2* As = shared;
  float2* Bs = shared + block * pairs;

  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * block + i;
  const int col = blockIdx.x * block + 2 * j;
  const int k = A.width;

  float2 sum = {0.0f, 0.0f};
  for (int start = 0; start < k; start += block) {
    As[i * pairs + j] = two_of(A, row, start + 2 * j);
    Bs[i * pairs + j] = two_of(B, start + i, col);
    __syncthreads();

    for (int p = 0; p < pairs; ++p) {
      const float2 a = As[i * pairs + p];
      const float2 b = Bs[2 * p * pairs + j];
      const float2 below = Bs[(2 * p + 1) * pairs + j];
      sum.x += a.x * b.x + a.y * below.x;
      sum.y += a.x * b.y + a.y * below.y;
    }
    __syncthreads();
  }

  if (row < C.height && col < C.width) C(row, col) = sum.x;
  if (row < C.height && col + 1 < C.width) C(row, col + 1) = sum.y;
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  const unsigned int shared_bytes = 2 * block * block * sizeof(float);
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block / 2, block), shared_bytes};
}
