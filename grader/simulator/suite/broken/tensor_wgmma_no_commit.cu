// check: --kernel uncommitted --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,8]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- the product is in no group, because the commit is missing;
//         wait_group waits for groups only
// line: 26
#include <cuda_bf16.h>

extern "C" __global__ void uncommitted(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(16) uint4 rows_of_b[16];  // 8 n a row, no swizzle.
  const int lane = threadIdx.x % 32, m = threadIdx.x / 32 * 16 + lane / 4;
  if (threadIdx.x < 16) rows_of_b[threadIdx.x] = reinterpret_cast<const uint4*>(b)[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* pair = reinterpret_cast<const unsigned*>(a) + m * 8 + lane % 4;
  unsigned a0 = pair[0], a1 = pair[64], a2 = pair[4], a3 = pair[68];
  float r[4];
  const unsigned long long desc = __cvta_generic_to_shared(rows_of_b) >> 4 | 8ull << 16;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
      "0, 1, 1, 1;"
      : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(desc)
      : "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[(m + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = r[i];
}
