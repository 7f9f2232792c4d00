// check: --kernel own_copies --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: race -- each thread has waited for its own copies, but without a barrier none knows
//         that the others have
// line: 12, 13, 14, 15, 18, 19, 20, 21, 29, 30, 31, 32, 33
#include <cuda_bf16.h>

extern "C" __global__ void own_copies(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(128) uint4 lanes_a[2][64];
  __shared__ alignas(128) uint4 lanes_b[2][8];
  const int w = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&lanes_a[w % 2][w / 2]))),
               "l"(a + 8 * w)
               : "memory");
  if (w >= 112) {
    const int v = w - 112;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(&lanes_b[v % 2][v / 2]))),
                 "l"(b + 8 * v)
                 : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const unsigned long long da = __cvta_generic_to_shared(lanes_a) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(lanes_b) >> 4 | 8ull << 16 | 8ull << 32;
  float q0 = 0, q1 = 0, q2 = 0, q3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(q0), "+f"(q1), "+f"(q2), "+f"(q3)
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* o = c + w / 32 * 128 + w % 32 * 2;
  o[0] = q0;
  o[1] = q1;
  o[64] = q2;
  o[65] = q3;
}
