// expect: technique/8=fail -- patches of 8 x 8, not transposed; values pass two lanes and return
#include <tessera/lab.cuh>

__device__ float detour(float v, float* mail, int lane) {
  mail[lane] = v;
  __syncwarp();
  v = mail[lane ^ 1];
  __syncwarp();
  mail[lane] = v;
  __syncwarp();
  v = mail[lane ^ 1];
  __syncwarp();
  return v;
}

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float mail[4][32];
  const int lane = threadIdx.x;
  const int row = (blockIdx.y * 4 + threadIdx.y) * 8 + lane % 8;
  const int col = blockIdx.x * 8 + lane / 8 * 2;
  float x = 0.0f, y = 0.0f;
  if (row < A.height && col + 1 < A.width && A.pitch % 2 == 0) {
    const float2 v = *reinterpret_cast<const float2*>(A.data + row * A.pitch + col);
    x = v.x;
    y = v.y;
  } else if (row < A.height) {
    if (col < A.width) x = A(row, col);
    if (col + 1 < A.width) y = A(row, col + 1);
  }
  x = detour(x, mail[threadIdx.y], lane);
  y = detour(y, mail[threadIdx.y], lane);
  if (row < A.height && col < A.width) B(col, row) = x;
  if (row < A.height && col + 1 < A.width) B(col + 1, row) = y;
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, 8), ceil_div(m, 32)), dim3(32, 4), 0};
}
