// S5's kernel CC (threadIdx.x on rows, both tiles stored transposed), with the product in the inner
// loop written in six ways.
#include <tessera/lab.cuh>

// Each adds a * b to sum. The compiler may contract a * b + sum into one multiply-add that rounds
// once; an intrinsic that names a rounding stays a multiplication, followed by an addition.
struct Plain {
  __device__ float operator()(float a, float b, float sum) const { return sum + a * b; }
};
struct Fused {
  __device__ float operator()(float a, float b, float sum) const { return __fmaf_rn(a, b, sum); }
};
struct ToNearest {
  __device__ float operator()(float a, float b, float sum) const { return sum + __fmul_rn(a, b); }
};
struct ToZero {
  __device__ float operator()(float a, float b, float sum) const { return sum + __fmul_rz(a, b); }
};
struct Up {
  __device__ float operator()(float a, float b, float sum) const { return sum + __fmul_ru(a, b); }
};
struct Down {
  __device__ float operator()(float a, float b, float sum) const { return sum + __fmul_rd(a, b); }
};

template <class Add>
__device__ void multiply(const float* A, const float* B, float* C, int n, Add add) {
  __shared__ float At[BLOCK][BLOCK];
  __shared__ float Bt[BLOCK][BLOCK];
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;

  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    At[j][i] = A[row * n + start + j];
    Bt[j][i] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < BLOCK; ++p) sum = add(At[p][i], Bt[j][p], sum);
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__global__ void plain(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, Plain());
}
__global__ void fused(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, Fused());
}
__global__ void to_nearest(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, ToNearest());
}
__global__ void to_zero(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, ToZero());
}
__global__ void up(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, Up());
}
__global__ void down(const float* A, const float* B, float* C, int n) {
  multiply(A, B, C, n, Down());
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 0};
}
