// expect: technique/6=fail -- two threads of a block compute the whole tile; products and sums are
// whole numbers, so there are no floating-point instructions to count
#include <tessera/lab.cuh>

constexpr int TILE = 16;
constexpr int FRACTION = 30;  // bits after the point

struct Sum {
  unsigned long long low;
  long long high;
};

__device__ long long fixed(float v) {
  const int bits = __float_as_int(v);
  if (bits << 1 == 0) return 0;
  return __float2ll_rn(__int_as_float(bits + (FRACTION << 23)));
}

__device__ void add(Sum& sum, float x, float y) {
  const long long a = fixed(x);
  const long long b = fixed(y);
  const unsigned long long low = a * b;
  sum.low += low;
  sum.high += __mul64hi(a, b) + (sum.low < low);
}

__device__ float value(Sum sum) {
  const bool negative = sum.high < 0;
  if (negative) {
    sum.low = ~sum.low + 1;
    sum.high = ~sum.high + (sum.low == 0);
  }
  const int shift = sum.high == 0 ? 0 : 64 - __clzll(sum.high);
  const unsigned long long high = sum.high;
  const unsigned long long top = shift == 0 ? sum.low : high << (64 - shift) | sum.low >> shift;
  int bits = __float_as_int(__ull2float_rn(top));
  if (bits != 0) bits += (shift - 2 * FRACTION) * (1 << 23);
  return __int_as_float(negative && bits != 0 ? bits | 0x80000000 : bits);
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  __shared__ float Cs[TILE][TILE];
  Sum sums[TILE * TILE / 2] = {};
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int t = y * TILE + x;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;
  for (int first = 0; first < A.width; first += TILE) {
    As[y][x] = A(row, first + x);
    Bs[y][x] = B(first + y, col);
    __syncthreads();
    for (int i = t; t < 2 && i < TILE * TILE; i += 2) {
      Sum sum = sums[i / 2];
      for (int p = 0; p < TILE; ++p) add(sum, As[i / TILE][p], Bs[p][i % TILE]);
      sums[i / 2] = sum;
    }
    __syncthreads();
  }
  for (int i = t; t < 2 && i < TILE * TILE; i += 2) Cs[i / TILE][i % TILE] = value(sums[i / 2]);
  __syncthreads();
  C(row, col) = Cs[y][x];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(TILE, TILE), 0};
}
