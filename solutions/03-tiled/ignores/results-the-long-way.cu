// expect: technique/2=fail -- shuffles; neighbours swap results in shared memory
#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float out[32];
  const int l = threadIdx.x, r0 = blockIdx.y * 16, col = blockIdx.x * 32 + l;
  float s[16] = {};
  for (int p0 = 0; p0 < A.width; p0 += 16) {
    float b[16];
#pragma unroll
    for (int p = 0; p < 16; ++p) b[p] = col < B.width ? B(p0 + p, col) : 0.0f;
#pragma unroll
    for (int r = 0; r < 16; r += 2) {
      float a = A(r0 + r + l / 16, p0 + l % 16);
#pragma unroll
      for (int p = 0; p < 16; ++p) {
        s[r] += __shfl_sync(0xffffffff, a, p) * b[p];
        s[r + 1] += __shfl_sync(0xffffffff, a, 16 + p) * b[p];
      }
    }
  }
  const int oc = blockIdx.x * 32 + (l ^ 1);
#pragma unroll
  for (int r = 0; r < 16; ++r) {
    out[l] = s[r];
    __syncwarp();
    const float v = out[l ^ 1];
    __syncwarp();
    if (oc < C.width) C(r0 + r, oc) = v;
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 32), m / 16), dim3(32), 0};
}
