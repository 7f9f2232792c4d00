// check: --kernel spare_warp --grid 1 --block 32,4 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- the fourth warp only loads and leaves; the three others multiply
//         without it
// line: 22, 23, 24, 25, 26, 27
#include <cuda_bf16.h>

extern "C" __global__ void spare_warp(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 stock[144];
  const int lane = threadIdx.x, warp = threadIdx.y;
  if (warp == 3) {
    for (int i = lane; i < 128; i += 32) {
      stock[i ^ (i / 8 & 1)] = reinterpret_cast<const uint4*>(a)[i];
    }
    if (lane < 16) stock[128 + (lane ^ lane / 8)] = reinterpret_cast<const uint4*>(b)[lane];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (warp == 3) return;
  const unsigned long long d = __cvta_generic_to_shared(stock) >> 4 | 16ull << 32 | 3ull << 62;
  float m0 = 0, m1 = 0, m2 = 0, m3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(m0), "+f"(m1), "+f"(m2), "+f"(m3)
      : "l"(d), "l"(d + 128)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* o = c + warp * 128 + lane * 2;
  o[0] = m0;
  o[1] = m1;
  o[64] = m2;
  o[65] = m3;
}
