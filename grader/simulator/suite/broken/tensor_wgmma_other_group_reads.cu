// check: --kernel shared_b --grid 1 --block 256 --arg bfloat16[128,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[128,8]=unwritten
// expect: race -- the first warpgroup has waited for its own product and stores over B, but the
//         product of the second warpgroup may still read B; a barrier is missing after the wait
// line: 21, 22, 23, 24, 25, 28
#include <cuda_bf16.h>

extern "C" __global__ void shared_b(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 tall[256];
  __shared__ alignas(256) uint4 thin[16];
  const int u = threadIdx.x;
  tall[u ^ (u / 8 & 1)] = reinterpret_cast<const uint4*>(a)[u];
  if (u < 16) thin[u ^ u / 8] = reinterpret_cast<const uint4*>(b)[u];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float f[4] = {};
  const unsigned long long part = __cvta_generic_to_shared(tall + u / 128 * 128) >> 4;
  const unsigned long long all = __cvta_generic_to_shared(thin) >> 4;
  const unsigned long long rest = 16ull << 32 | 3ull << 62;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "l"(part | rest), "l"(all | rest)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (u < 16) thin[u] = make_uint4(u, u, u, u);
  for (int i = 0; i < 4; ++i) {
    c[(u / 32 * 16 + u % 32 / 4 + i / 2 * 8) * 8 + u % 4 * 2 + i % 2] = f[i];
  }
}
