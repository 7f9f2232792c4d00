// expect: technique/2=fail -- a third of C is computed without tiles, by blocks of 16 x 16 elements
#include <tessera/lab.cuh>
constexpr int SIDE = 32, DEPTH = 16;

// 32 x 32 elements of C, four a thread.
__device__ void taught(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int r,
                       int c) {
  __shared__ float a[SIDE][DEPTH], b[DEPTH][SIDE];
  const int t = threadIdx.x, x = t % SIDE, y = t / SIDE;
  float sum[4] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
    for (int e = t; e < SIDE * DEPTH; e += 256) {
      const int row = r + e / DEPTH, col = c + e % SIDE;
      a[e / DEPTH][e % DEPTH] = row < A.height ? A(row, start + e % DEPTH) : 0.0f;
      b[e / SIDE][e % SIDE] = col < B.width ? B(start + e / SIDE, col) : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < DEPTH; ++p)
      for (int i = 0; i < 4; ++i) sum[i] += a[y + 8 * i][p] * b[p][x];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    if (r + y + 8 * i < C.height && c + x < C.width) C(r + y + 8 * i, c + x) = sum[i];
}

__device__ float4 four(const float* from, int pitch) {
  return pitch % 4 == 0 ? *reinterpret_cast<const float4*>(from)
                        : make_float4(from[0], from[1], from[2], from[3]);
}

// 16 x 16 elements of C, 4 x 4 a thread.
__device__ void alone(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int r, int c) {
  if (threadIdx.x >= 16 || r >= C.height || c >= C.width) return;
  const int row = r + threadIdx.x / 4 * 4, col = c + threadIdx.x % 4 * 4;
  float sum[4][4] = {};
  for (int p = 0; p < A.width; p += 4) {
    float4 b[4];
    for (int q = 0; q < 4; ++q) b[q] = four(&B(p + q, col), B.pitch);
    for (int i = 0; i < 4; ++i) {
      const float4 a = four(&A(row + i, p), A.pitch);
      const float u[4] = {a.x, a.y, a.z, a.w};
      for (int q = 0; q < 4; ++q) {
        sum[i][0] += u[q] * b[q].x;
        sum[i][1] += u[q] * b[q].y;
        sum[i][2] += u[q] * b[q].z;
        sum[i][3] += u[q] * b[q].w;
      }
    }
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C(row + i, col + j) = sum[i][j];
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int across = ceil_div(C.width, SIDE), tile = blockIdx.x / 4, part = blockIdx.x % 4;
  const int r = tile / across * SIDE, c = tile % across * SIDE;
  if (tile % 3 != 0) {
    if (part == 0) taught(A, B, C, r, c);
  } else {
    alone(A, B, C, r + part / 2 * 16, c + part % 2 * 16);
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(4 * ceil_div(n, SIDE) * ceil_div(m, SIDE)), dim3(256), 0};
}
