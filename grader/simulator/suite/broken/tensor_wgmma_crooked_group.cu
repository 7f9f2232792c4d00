// check: --kernel crooked --grid 1 --block 192 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- warps 2 to 5 multiply: four warps, but a warpgroup begins with a
//         warp whose number is a multiple of 4
// line: 20, 21, 22, 23, 24, 25
#include <cuda_bf16.h>

extern "C" __global__ void crooked(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 pool[144];
  for (int i = threadIdx.x; i < 144; i += 192) {
    pool[i ^ (i / 8 & 1)] =
        i < 128 ? reinterpret_cast<const uint4*>(a)[i] : reinterpret_cast<const uint4*>(b)[i - 128];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < 64) return;  // Two warps that only load.
  const int t = threadIdx.x - 64;
  const unsigned long long d = __cvta_generic_to_shared(pool) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(d), "l"(d + 128)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[t / 32 * 128 + t % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
