// check: --kernel fifth_warp --grid 1 --block 160 --arg bfloat16[64,32]=integers
//        --arg bfloat16[8,32]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// A block of five warps: four of them are the warpgroup, the fifth copies the tiles.
extern "C" __global__ void fifth_warp(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(512) uint4 store[288];
  if (threadIdx.x >= 128) {
    for (int i = threadIdx.x - 128; i < 288; i += 32) {
      const unsigned to = __cvta_generic_to_shared(store + (i ^ (i / 8 & 3)));
      const __nv_bfloat16* from = i < 256 ? a + 8 * i : b + 8 * (i - 256);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync 1, 160;" ::: "memory");
    return;
  }
  float s[4] = {};
  const unsigned long long d = __cvta_generic_to_shared(store) >> 4 | 32ull << 32 | 2ull << 62;
  asm volatile("bar.sync 1, 160;" ::: "memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 2; ++k) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d + 2 * k), "l"(d + 256 + 2 * k)
        : "memory");
  }
  // The second group is empty, so that all but the last group means all products.
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float sum = 0;
    for (int k = 0; k < 32; ++k) {
      sum += __bfloat162float(a[m * 32 + k]) * __bfloat162float(b[n * 32 + k]);
    }
    if (sum != s[i]) __trap();
    c[m * 8 + n] = s[i];
  }
}
