// check: --kernel early_signal --grid 1 --block 256 --arg bfloat16[3,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: race -- the multiplying warpgroup says at barrier 2 that the tile may be stored over, and
//         waits for its product only after that; the loading warpgroup stores while the product may
//         still read
// line: 36
#include <cuda_bf16.h>

extern "C" __global__ void early_signal(const __nv_bfloat16* tiles, float* c) {
  __shared__ alignas(256) uint4 tile[144];
  const int self = threadIdx.x % 128;
  if (threadIdx.x >= 128) {
#pragma unroll 1
    for (int n = 0; n < 3; ++n) {
      if (n > 0) asm volatile("bar.sync 2, 256;" ::: "memory");
      const uint4* from = reinterpret_cast<const uint4*>(tiles + n * 1152);
      for (int i = self; i < 144; i += 128) tile[i ^ (i / 8 & 1)] = from[i];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("bar.arrive 1, 256;" ::: "memory");
    }
    return;
  }
  const unsigned long long d = __cvta_generic_to_shared(tile) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
#pragma unroll 1
  for (int n = 0; n < 3; ++n) {
    asm volatile("bar.sync 1, 256;" ::: "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d), "l"(d + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (n < 2) asm volatile("bar.arrive 2, 256;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) c[self / 32 * 128 + self % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
