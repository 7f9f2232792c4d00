// check: --kernel too_soon --grid 1 --block 128 --arg bfloat16[64,32]=integers
//        --arg bfloat16[8,32]=integers --arg float32[64,8]=unwritten
// expect: unfinished-copy -- the copies are committed, but never waited for before the product
//         reads the tiles
// line: 13, 23, 24, 25, 26, 27
#include <cuda_bf16.h>

extern "C" __global__ void too_soon(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(512) uint4 tiles[72 * 4];  // Rows of 64 bytes, swizzled: A, then B.
  for (int i = threadIdx.x; i < 288; i += 128) {
    const unsigned to = __cvta_generic_to_shared(tiles + (i ^ (i / 8 & 3)));
    const uint4* from = reinterpret_cast<const uint4*>(i < 256 ? a : b) + (i < 256 ? i : i - 256);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long a_start =
      __cvta_generic_to_shared(tiles) >> 4 | 2ull << 62 | 32ull << 32;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 2; ++k) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(a_start + 2 * k), "l"(a_start + 256 + 2 * k)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* out = reinterpret_cast<float2*>(c) + threadIdx.x / 32 * 64 + threadIdx.x % 32;
  out[0] = make_float2(s[0], s[1]);
  out[32] = make_float2(s[2], s[3]);
}
