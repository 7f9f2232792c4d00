// check: --kernel eager --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- the sums are stored to global memory before the wait for the
//         product that makes them
// line: 26, 27, 28, 29
#include <cuda_bf16.h>

extern "C" __global__ void eager(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(128) uint4 as[2][64], bs[2][8];
  const int t = threadIdx.x;
  as[t % 2][t / 2] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) bs[t % 2][t / 2] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long ad = __cvta_generic_to_shared(as) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long bd = __cvta_generic_to_shared(bs) >> 4 | 8ull << 16 | 8ull << 32;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(ad), "l"(bd)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  float* to = c + (t / 32 * 16 + t % 32 / 4) * 8 + t % 4 * 2;
  to[0] = s0;
  to[1] = s1;
  to[64] = s2;
  to[65] = s3;
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
