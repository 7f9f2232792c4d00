// check: --kernel odd_block --grid 1 --block 96 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,8]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- the block has 96 threads: three warps, but a warpgroup has four
// line: 16, 17, 18, 19, 20, 21, 22
#include <cuda_bf16.h>

extern "C" __global__ void odd_block(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(16) __nv_bfloat16 small[128];
  const int h = threadIdx.x, g = h / 32 * 16 + h % 32 / 4;
  for (int i = h; i < 128; i += 96) small[i] = b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* own = reinterpret_cast<const unsigned*>(a + g * 16) + h % 4;
  unsigned r0 = own[0], r1 = own[64], r2 = own[4], r3 = own[68];
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
      "1, 1, 1, 1;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "l"(__cvta_generic_to_shared(small) >> 4 | 8ull << 16)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* out = c + g * 8 + h % 4 * 2;
  out[0] = s0;
  out[1] = s1;
  out[64] = s2;
  out[65] = s3;
}
