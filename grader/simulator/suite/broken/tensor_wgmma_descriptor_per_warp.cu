// check: --kernel own_rows --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- each warp gives the descriptor of its own 16 rows of A; a warpgroup
//         has to give the same one in all four warps
// line: 23, 24, 25, 26, 27
#include <cuda_bf16.h>

extern "C" __global__ void own_rows(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  // The upper half stays empty, so that no warp leaves it.
  __shared__ alignas(256) uint4 rows_a[256];
  __shared__ alignas(256) uint4 rows_b[16];
  const int x = threadIdx.x, warp = x / 32;
  rows_a[x ^ (x / 8 & 1)] = reinterpret_cast<const uint4*>(a)[x];
  rows_a[128 + x] = make_uint4(0, 0, 0, 0);
  if (x < 16) rows_b[x ^ x / 8] = reinterpret_cast<const uint4*>(b)[x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long fixed = 16ull << 32 | 3ull << 62;
  const unsigned long long da = __cvta_generic_to_shared(rows_a + warp * 32) >> 4 | fixed;
  const unsigned long long db = __cvta_generic_to_shared(rows_b) >> 4 | fixed;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[warp * 128 + x % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
