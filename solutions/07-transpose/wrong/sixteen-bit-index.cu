// expect: race -- indices above 65,535 do not fit in 16 bits, so two threads get the same one
#include <tessera/lab.cuh>

constexpr int TILE = 32;  // a block has TILE x TILE threads

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < A.height && col < A.width) {
    const unsigned short a = row * A.pitch + col;
    tile[threadIdx.y][threadIdx.x] = A.data[a];
  }
  __syncthreads();
  const int target_row = blockIdx.x * TILE + threadIdx.y;
  const int target_col = blockIdx.y * TILE + threadIdx.x;
  if (target_row < B.height && target_col < B.width) {
    const unsigned short b = target_row * B.pitch + target_col;
    B.data[b] = tile[threadIdx.x][threadIdx.y];
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE)};
}
