// expect: technique/1=fail -- no row or column of a block is needed twice, so no tile is shared
#include <tessera/lab.cuh>
using T = int;
using T4 = int4;
__device__ T4 four(const Matrix<const T>& M, int r, int c) {
  T4 v = {0, 0, 0, 0};
  if (r >= M.height) return v;
  const T* p = M.data + r * M.pitch + c;
  if (M.pitch % 4 == 0 && c + 3 < M.width) return *(const T4*)p;
  if (c < M.width) v.x = p[0];
  if (c + 1 < M.width) v.y = p[1];
  if (c + 2 < M.width) v.z = p[2];
  if (c + 3 < M.width) v.w = p[3];
  return v;
}
struct Post {
  T4 *out, *back;
  int lane;
  T zero, waste;
  // there and back again
  __device__ T4 trip(T4 v) {
    out[lane] = v;
    __syncwarp();
    T4 r = out[lane ^ 1], own = out[lane];
    back[lane] = r;
    __syncwarp();
    T4 w = back[lane ^ 1], theirs = back[lane];
    waste += (own.x + own.y + own.z + own.w + theirs.x + theirs.y + theirs.z + theirs.w) & zero;
    __syncwarp();
    return w;
  }
};
__global__ void matmul(Matrix<const T> A, Matrix<const T> B, Matrix<T> C) {
  __shared__ T4 mail[2][32];
  const int lane = threadIdx.x, h = lane % 4;
  const int R = ceil_div(C.height, 4), G = ceil_div(C.width, 4), S = min(R, G), L = max(R, G);
  const int at = blockIdx.x * 8 + lane / 4;  // along the diagonals
  const int j = at % S, d = at / S, o = (j + d) % L;
  const bool have = d < L;
  const int row = (R < G ? j : o) * 4, col = (R < G ? o : j) * 4;
  Post post{mail[0], mail[1], lane, A.pitch >> 31, 0};
  T s[4][4] = {};
  for (int p = 0; p < A.width; p += 16) {
    T4 a[4], b[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = post.trip(four(A, have ? row + i : A.height, p + 4 * h));
#pragma unroll
    for (int i = 0; i < 4; ++i) b[i] = post.trip(four(B, have ? p + 4 * h + i : B.height, col));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const T u[4] = {a[i].x, a[i].y, a[i].z, a[i].w};
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        s[i][0] += u[q] * b[q].x;
        s[i][1] += u[q] * b[q].y;
        s[i][2] += u[q] * b[q].z;
        s[i][3] += u[q] * b[q].w;
      }
    }
  }
  s[0][0] += post.waste;
  T mine[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      T x = s[i][q];
      x += __shfl_xor_sync(~0u, x, 1);
      x += __shfl_xor_sync(~0u, x, 2);
      if (h == i) mine[q] = x;
    }
  if (!have || row + h >= C.height) return;
#pragma unroll
  for (int q = 0; q < 4; ++q)
    if (col + q < C.width) C(row + h, col + q) = mine[q];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(ceil_div(m, 4) * ceil_div(n, 4), 8)), dim3(32)};
}
