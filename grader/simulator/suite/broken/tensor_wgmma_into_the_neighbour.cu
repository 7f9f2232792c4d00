// check: --kernel neighbours --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,16]=unwritten
// expect: out-of-bounds -- B has 8 columns, 256 bytes, but the product reads 16 columns and with
//         them the first bytes of the array behind B
// line: 24, 25, 26, 27, 28, 29, 30
#include <cuda_bf16.h>

extern "C" __global__ void neighbours(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 before[16];
  __shared__ alignas(256) uint4 middle[16];
  __shared__ alignas(256) uint4 behind[16];
  const int t = threadIdx.x, g = t / 32 * 16 + t % 32 / 4;
  if (t < 16) {
    before[t] = behind[t] = make_uint4(0, 0, 0, 0);
    middle[t ^ t / 8] = reinterpret_cast<const uint4*>(b)[t];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* w = reinterpret_cast<const unsigned*>(a) + g * 8 + t % 4;
  const unsigned a0 = w[0], a1 = w[64], a2 = w[4], a3 = w[68];
  const unsigned long long d = __cvta_generic_to_shared(middle) >> 4 | 16ull << 32 | 3ull << 62;
  float s[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "{%8, %9, %10, %11}, %12, 1, 1, 1, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]),
        "+f"(s[7])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(d)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) {
    c[(g + i % 4 / 2 * 8) * 16 + i / 4 * 8 + t % 4 * 2 + i % 2] =
        s[i] + __uint_as_float(before[t % 16].x + behind[t % 16].x);
  }
}
