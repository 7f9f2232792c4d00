// expect: out-of-bounds -- the last vector of a row is stored over the padding
#include <tessera/lab.cuh>
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  for (int j = ty; j < 32; j += 8)
    tile[j][tx] = r0 + j < A.height && c0 + tx < A.width ? A(r0 + j, c0 + tx) : 0.0f;
  __syncthreads();
  const int t = ty * 32 + tx, i = t / 8, j = t % 8 * 4;
  const int row = c0 + i, col = r0 + j;
  if (row >= B.height || col >= B.width) return;
  if (B.pitch % 4 == 0) {
    *reinterpret_cast<float4*>(&B(row, col)) =
        make_float4(tile[j][i], tile[j + 1][i], tile[j + 2][i], tile[j + 3][i]);
  } else {
    for (int q = 0; q < 4; ++q)
      if (col + q < B.width) B(row, col + q) = tile[j + q][i];
  }
}
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, 32), ceil_div(m, 32)), dim3(32, 8), 0};
}
