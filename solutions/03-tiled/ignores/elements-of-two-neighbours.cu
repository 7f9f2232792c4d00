// expect: technique/5=fail -- each thread loads all that it needs; two others pass it on
// needlessly
#include <tessera/lab.cuh>

/// The value of the lanes `first` and `second` away, which is the same: half of their sum.
__device__ float4 relay(float4* mail, float4 v, int first, int second) {
  const int lane = threadIdx.x;
  mail[lane] = v;
  __syncwarp();
  const float4 r = mail[lane ^ first], s = mail[lane ^ second];
  __syncwarp();
  return {(r.x + s.x) / 2, (r.y + s.y) / 2, (r.z + s.z) / 2, (r.w + s.w) / 2};
}

__device__ float4 four(const float* from, int pitch) {
  return pitch % 4 == 0 ? *reinterpret_cast<const float4*>(from)
                        : make_float4(from[0], from[1], from[2], from[3]);
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float4 mail[32];
  const int lane = threadIdx.x;
  const int row = (blockIdx.y * 8 + lane / 4) * 4, col = (blockIdx.x * 4 + lane % 4) * 4;
  float sum[4][4] = {};
  for (int p = 0; p < A.width; p += 4) {
    float4 a[4], b[4];
    for (int i = 0; i < 4; ++i) {
      float4 x = {0, 0, 0, 0}, y = {0, 0, 0, 0};
      if (row < C.height) x = four(&A(row + i, p), A.pitch);
      if (col < C.width) y = four(&B(p + i, col), B.pitch);
      a[i] = relay(mail, x, 1, 2);
      b[i] = relay(mail, y, 4, 8);
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
