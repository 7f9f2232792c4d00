// expect: technique/6=fail -- right, but two threads compute; the others run an empty loop
#include <tessera/lab.cuh>
constexpr int T = 16;
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[T][T], Bs[T][T], Cs[T][T];
  const int x = threadIdx.x, y = threadIdx.y, t = y * T + x;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  Cs[y][x] = 0;
  for (int s = 0; s < A.width; s += T) {
    As[y][x] = A(row, s + x);
    Bs[y][x] = B(s + y, col);
    __syncthreads();
    if (t < 2) {
      for (int i = 0; i < T; ++i)
        for (int j = (i + t) % 2; j < T; j += 2) {
          float sum = Cs[i][j];
          for (int p = 0; p < T; ++p) sum += As[i][p] * Bs[p][j];
          Cs[i][j] = sum;
        }
    } else if (t >= 32) {
      unsigned v = t;
      for (int q = 0; q < 1000; ++q) v = v * 1664525u + (v >> 16);
      if (v == 424242u && A.pitch < 0) Cs[0][0] = 1;
    }
    __syncthreads();
  }
  C(row, col) = Cs[y][x];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / T, m / T), dim3(T, T)};
}
