// check: --kernel Multiply --grid 1 --block 64 --arg float16[512]=index --arg float16[128]=index
//        --arg float32[32,8]=unwritten
// only with: nvrtc
// A 32 x 16 matrix times a 16 x 8 one in steps of m16n8k8, B row-major.
#include <cuda_fp16.h>

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

__global__ void Multiply(const __half* a, const __half* b, float* c) {
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x / 32 * 16 + lane / 4;
  const int pair = lane % 4 * 2;
  float d[4] = {};
#pragma unroll
  for (int i = 0; i < 16; i += 8) {
    unsigned left[2];
    unsigned right[1];
    left[0] = *reinterpret_cast<const unsigned*>(&a[row * 16 + i + pair]);
    left[1] = *reinterpret_cast<const unsigned*>(&a[(row + 8) * 16 + i + pair]);
    const __half2 both =
        __halves2half2(b[(i + pair) * 8 + lane / 4], b[(i + pair + 1) * 8 + lane / 4]);
    right[0] = *reinterpret_cast<const unsigned*>(&both);
    MultiplyAdd(d, left, right);
  }
  for (int j = 0; j < 4; ++j) c[(row + j / 2 * 8) * 8 + pair + j % 2] = d[j];
}
