// check: --kernel Iterate --grid 2 --block 32 --arg int32[64]=index --arg float16[256]=index
//        --arg float16[128]=index --arg float32[32,8]=unwritten
// expect: divergent-barrier -- both branches of a condition by lane have a product, but each runs
//         with a part of the warp
// line: 11, 12, 13, 14, 15, 41, 44
// only with: nvrtc
// Every lane runs a loop of its own length, and then the warp multiplies.
#include <cuda_fp16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ int Steps(int n) {
  int steps = 0;
  while (n > 1) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      n = 3 * n + 1;
    }
    if (++steps > 40) return -1;
  }
  return steps;
}

__global__ void Iterate(const int* numbers, const __half* a, const __half* b, float* c) {
  const int lane = threadIdx.x;
  const int steps = Steps(numbers[blockIdx.x * 32 + lane]);
  const unsigned* p = reinterpret_cast<const unsigned*>(a) + lane;
  const unsigned* q = reinterpret_cast<const unsigned*>(b) + lane;
  const unsigned left[4] = {p[0], p[32], p[64], p[96]};
  const unsigned right[2] = {q[0], q[32]};
  float d[4];
  for (int j = 0; j < 4; ++j) d[j] = steps;
  if (steps > 8) {
    MultiplyAdd(d, left, right);
  } else {
    const unsigned other[2] = {right[1], right[0]};
    MultiplyAdd(d, left, other);
  }
  for (int j = 0; j < 4; ++j)
    c[(blockIdx.x * 16 + lane / 4 + j / 2 * 8) * 8 + lane % 4 * 2 + j % 2] = d[j];
}
