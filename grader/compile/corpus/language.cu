// Spaces, launch bounds, templates, lambdas, classes, recursion, printf, assert, the heap.
__constant__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int counter = 7;
__device__ float results[32];
static __device__ const int kPrimes[] = {2, 3, 5, 7};
const int kStride = 4;
constexpr float kHalf = 0.5f;

struct __align__(8) Range {
  int first;
  int last;
  __host__ __device__ Range(int first, int last) : first(first), last(last) {
  }
  __device__ __forceinline__ int length() const {
    return last - first;
  }
  __device__ Range operator+(int by) const {
    return Range(first + by, last + by);
  }
};

class Base {
 public:
  __device__ virtual int value(int x) const { return x; }
};
class Derived : public Base {
 public:
  __device__ int value(int x) const override { return 2 * x; }
};

namespace math {
namespace {
__device__ __noinline__ int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
}  // namespace
template <int N>
__device__ inline float power(float x) {
  if constexpr (N == 0) {
    return 1.0f;
  } else {
    return x * power<N - 1>(x);
  }
}
}  // namespace math

template <class Function>
__device__ void repeat(int n, Function f) {
  for (int i = 0; i < n; ++i) f(i);
}

template <class T, int Size>
__global__ void __launch_bounds__(256, 2) reverse(T* __restrict__ out, const T* __restrict__ in) {
  __shared__ T tile[Size];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[Size - 1 - threadIdx.x];
}
template __global__ void reverse<float, 64>(float* __restrict__, const float* __restrict__);
template __global__ void reverse<short, 32>(short* __restrict__, const short* __restrict__);

extern "C" __global__ void dynamic_float(float* out) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x ^ 1];
}

__global__ void dynamic_again(float* out) {
  extern __shared__ float buffer[];
  float* second = buffer + blockDim.x;
  second[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = second[0];
}

__global__ void everything(int* out, float* f, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  Range range(i, i + kStride);
  range = range + counter;
  int total = range.length() + kPrimes[i & 3] + math::factorial(i & 7);
  repeat(3, [&total, i](int step) { total += step * i; });
  const Derived derived;
  const Base* base = &derived;
  total += base->value(i);
#pragma unroll
  for (int j = 0; j < 4; ++j) f[i] += table[j] * kHalf;
#pragma unroll 1
  for (int j = 0; j < n; ++j) total ^= j;
  switch (i % 5) {
    case 0:
      total += 1;
      break;
    case 1:
      total -= 2;
      break;
    case 2:
      total *= 3;
      break;
    case 3:
      total /= 4;
      break;
    default:
      total = ~total;
  }
  f[i] = math::power<3>(f[i]);
  if (i == 0) printf("total %d of %d: %f %s\n", total, n, f[i], "done");
  assert(total != 0x7fffffff);
  int* heap = new int[2];
  heap[0] = total;
  heap[1] = static_cast<int>(sizeof(size_t));
  out[i] = heap[0] + heap[1];
  delete[] heap;
  int copy[4];
  memcpy(copy, out, sizeof(copy));
  memset(out, 0, sizeof(copy));
  out[i] += copy[i & 3] + (NULL == nullptr);
  results[i & 31] = f[i];
  for (const int step : {-1, 1}) out[i] += step;
  for (const float part : {f[i], 0.5f}) f[i] += part;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[i + n]));
  if (total == 12345) __trap();
}
