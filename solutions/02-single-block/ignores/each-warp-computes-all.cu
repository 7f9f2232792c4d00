// expect: technique/7=fail -- right, but every warp computes all of C and stores a part of it
#include <tessera/lab.cuh>
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  extern __shared__ float4 mem4[];
  float* a = reinterpret_cast<float*>(mem4);
  const int kk = (k + 3) / 4 * 4, nn = (n + 3) / 4 * 4;
  float* b = a + m * kk;
  float* c = b + kk * nn;
  const int t = threadIdx.x, T = 256;
  for (int i = t; i < m * kk; i += T) a[i] = i % kk < k ? A[i / kk * k + i % kk] : 0;
  for (int i = t; i < kk * nn; i += T) b[i] = i / nn < k && i % nn < n ? B[i / nn * n + i % nn] : 0;
  __syncthreads();
  {
    const int l = t % 32;
    for (int r = l / 8 * 8; r < m; r += 32)
      for (int j = l % 8 * 4; j < nn; j += 32) {
        float s[8][4] = {};
        for (int p = 0; p < kk; p += 4) {
          float4 x[8];
#pragma unroll
          for (int i = 0; i < 8; ++i) x[i] = *(const float4*)&a[min(r + i, m - 1) * kk + p];
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            const float4 u = *(const float4*)&b[(p + q) * nn + j];
#pragma unroll
            for (int i = 0; i < 8; ++i) {
              const float e = q == 0 ? x[i].x : q == 1 ? x[i].y : q == 2 ? x[i].z : x[i].w;
              s[i][0] += e * u.x;
              s[i][1] += e * u.y;
              s[i][2] += e * u.z;
              s[i][3] += e * u.w;
            }
          }
        }
#pragma unroll
        for (int i = 0; i < 8; ++i)
          if (r + i < m && i == t / 32)
            *(float4*)&c[(r + i) * nn + j] = make_float4(s[i][0], s[i][1], s[i][2], s[i][3]);
      }
  }
  __syncthreads();
  for (int i = t; i < m * n; i += T) C[i] = c[i / n * nn + i % n];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  const int kk = (k + 3) / 4 * 4, nn = (n + 3) / 4 * 4;
  return {dim3(1), dim3(256), (unsigned)(m * kk + kk * nn + m * nn) * 4};
}
