// expect: technique/5=fail -- each thread loads all that it needs; two others pass it on
// needlessly
#include <tessera/lab.cuh>

/// The value of the lanes `first` and `second` away, which is the same.
__device__ int4 relay(int4* mail, int4 v, int first, int second) {
  const int lane = threadIdx.x;
  mail[lane] = v;
  __syncwarp();
  const int4 r = mail[lane ^ first], s = mail[lane ^ second];
  __syncwarp();
  return {r.x & s.x, r.y & s.y, r.z & s.z, r.w & s.w};
}

__device__ int4 four(Matrix<const int> from, int row, int col) {
  if (row >= from.height) return {0, 0, 0, 0};
  if (col + 3 < from.width && from.pitch % 4 == 0)
    return *reinterpret_cast<const int4*>(&from(row, col));
  int4 v = {0, 0, 0, 0};
  if (col < from.width) v.x = from(row, col);
  if (col + 1 < from.width) v.y = from(row, col + 1);
  if (col + 2 < from.width) v.z = from(row, col + 2);
  if (col + 3 < from.width) v.w = from(row, col + 3);
  return v;
}

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int4 mail[32];
  const int lane = threadIdx.x;
  const int row = (blockIdx.y * 8 + lane / 4) * 4, col = (blockIdx.x * 4 + lane % 4) * 4;
  int sum[4][4] = {};
  for (int p = 0; p < A.width; p += 4) {
    int4 a[4], b[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = relay(mail, four(A, row + i, p), 1, 2);
      b[i] = relay(mail, four(B, p + i, col), 4, 8);
    }
    for (int i = 0; i < 4; ++i) {
      const int u[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
      for (int q = 0; q < 4; ++q) {
        sum[i][0] += u[q] * b[q].x;
        sum[i][1] += u[q] * b[q].y;
        sum[i][2] += u[q] * b[q].z;
        sum[i][3] += u[q] * b[q].w;
      }
    }
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (row + i < C.height && col + j < C.width) C(row + i, col + j) = sum[i][j];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 32)), dim3(32), 0};
}
