// expect: technique/10=fail -- a warp's patch fills sectors without a tile; neighbours swap
// elements
#include <tessera/lab.cuh>
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float4 mail[128];
  const int t = threadIdx.x, warp = t / 32;
  // place of a lane: 8 rows x 4 float4 (16 columns)
  auto row_of = [&](int lane) { return (blockIdx.y * 4 + warp) * 8 + lane % 8; };
  auto col_of = [&](int lane) { return blockIdx.x * 16 + lane / 8 % 4 * 4; };
  const int other = t ^ 1;
  float4 v = {0, 0, 0, 0};
  int r = row_of(other), c = col_of(other);
  if (r < A.height) {
    const float* p = &A(r, c);
    if (A.pitch % 4 == 0 && c + 3 < A.width)
      v = *(const float4*)p;
    else {
      if (c < A.width) v.x = p[0];
      if (c + 1 < A.width) v.y = p[1];
      if (c + 2 < A.width) v.z = p[2];
      if (c + 3 < A.width) v.w = p[3];
    }
  }
  mail[t] = v;
  __syncthreads();
  v = mail[other];
  r = row_of(t), c = col_of(t);
  if (r < A.height) {
    if (c < A.width) B(c, r) = v.x;
    if (c + 1 < A.width) B(c + 1, r) = v.y;
    if (c + 2 < A.width) B(c + 2, r) = v.z;
    if (c + 3 < A.width) B(c + 3, r) = v.w;
  }
}
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 32)), dim3(128)};
}
