// expect: technique/2=fail -- registers; neighbours swap results in shared memory
#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int out[32];
  const bool detour = C.height >= 16 && C.width >= 16;
  const int t = threadIdx.x, x = t % 16, y = t / 16, o = detour ? t ^ 1 : t, ox = o % 16;
  const int c0 = blockIdx.x * 96, r0 = blockIdx.y * 32 + y * 16;
  int s[16][6] = {};
  for (int p = 0; p < A.width; ++p) {
    int b[6];
#pragma unroll
    for (int j = 0; j < 6; ++j) b[j] = c0 + x + 16 * j < B.width ? B(p, c0 + x + 16 * j) : 0;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      int a = r0 + i < A.height ? A(r0 + i, p) : 0;
#pragma unroll
      for (int j = 0; j < 6; ++j) s[i][j] += a * b[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
#pragma unroll
    for (int j = 0; j < 6; ++j) {
      int v = s[i][j];
      if (detour) {
        out[t] = v;
        __syncwarp();
        v = out[o];
        __syncwarp();
      }
      if (r0 + i < C.height && c0 + ox + 16 * j < C.width) C(r0 + i, c0 + ox + 16 * j) = v;
    }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 96), ceil_div(m, 32)), dim3(32), 0};
}
