// expect: technique/2=fail -- no element is read twice from shared memory
#include <tessera/lab.cuh>
__device__ float4 relay(float4* mail, float4 v) {
  const int lane = threadIdx.x;
  mail[lane] = v;
  __syncwarp();
  const float4 r = mail[lane ^ 1];
  __syncwarp();
  return r;
}
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ __align__(16) float4 mail[32];
  const int lane = threadIdx.x, other = lane ^ 1;
  const int row = (blockIdx.y * 8 + lane / 4) * 4, col = (blockIdx.x * 4 + lane % 4) * 4;
  const int orow = (blockIdx.y * 8 + other / 4) * 4, ocol = (blockIdx.x * 4 + other % 4) * 4;
  float sum[4][4] = {};
  for (int p = 0; p < A.width; p += 4) {
    float4 a[4], b[4];
    for (int i = 0; i < 4; ++i) {
      float4 x = {0, 0, 0, 0}, y = {0, 0, 0, 0};
      if (orow < C.height) {
        const float* s = &A(orow + i, p);
        x = A.pitch % 4 == 0 ? *reinterpret_cast<const float4*>(s)
                             : make_float4(s[0], s[1], s[2], s[3]);
      }
      if (ocol < C.width) {
        const float* s = &B(p + i, ocol);
        y = B.pitch % 4 == 0 ? *reinterpret_cast<const float4*>(s)
                             : make_float4(s[0], s[1], s[2], s[3]);
      }
      a[i] = relay(mail, x);
      b[i] = relay(mail, y);
    }
    for (int i = 0; i < 4; ++i) {
      const float u[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
      for (int q = 0; q < 4; ++q) {
        sum[i][0] += u[q] * b[q].x;
        sum[i][1] += u[q] * b[q].y;
        sum[i][2] += u[q] * b[q].z;
        sum[i][3] += u[q] * b[q].w;
      }
    }
  }
  if (row >= C.height || col >= C.width) return;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C(row + i, col + j) = sum[i][j];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 32)), dim3(32), 0};
}
