// check: --kernel rolled --grid 1 --block 32,4 --arg bfloat16[64,64]=integers
//        --arg bfloat16[8,64]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// The compiler keeps the loop, so that the sums pass from one product to the next through the moves
// at the loop's end, while products are still running. The group is committed after the loop.
extern "C" __global__ void rolled(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(1024) uint4 all[72 * 8];
  const int id = threadIdx.y * 32 + threadIdx.x;
  for (int i = id; i < 576; i += 128) {
    all[i ^ (i / 8 & 7)] =
        i < 512 ? reinterpret_cast<const uint4*>(a)[i] : reinterpret_cast<const uint4*>(b)[i - 512];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned long long d = __cvta_generic_to_shared(all) >> 4 | 64ull << 32 | 1ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, -1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d), "l"(d + 512)
        : "memory");
    d += 2;
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.y * 16 + threadIdx.x / 4 + i / 2 * 8, n = threadIdx.x % 4 * 2 + i % 2;
    float slow = 0;  // B is taken negative.
    for (int k = 0; k < 64; ++k) {
      slow -= __bfloat162float(a[m * 64 + k]) * __bfloat162float(b[n * 64 + k]);
    }
    if (slow != s[i]) __trap();
    c[m * 8 + n] = s[i];
  }
}
