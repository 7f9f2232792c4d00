// check: --kernel unequal --grid 1 --block 256 --arg bfloat16[128,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[128,8]=unwritten
#include <cuda_bf16.h>

// The first warpgroup runs one product, the second three; a condition that is the same in all four
// warps of a warpgroup. One of them has negative A.
extern "C" __global__ void unequal(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 pieces[16 * 17];
  const int t = threadIdx.x, group = t / 128;
  pieces[t ^ (t / 8 & 1)] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) pieces[256 + (t ^ t / 8)] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long base = __cvta_generic_to_shared(pieces) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 1
  for (int i = 0; i < 1 + 2 * group; ++i) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, -1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(base + 128 * group), "l"(base + 256)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int m = t / 32 * 16 + t % 32 / 4 + i / 2 * 8, n = t % 4 * 2 + i % 2;
    float e = 0;
    for (int k = 0; k < 16; ++k) {
      e -= __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[n * 16 + k]);
    }
    if (e * (1 + 2 * group) != s[i]) __trap();
    c[m * 8 + n] = s[i];
  }
}
