// check: --kernel cleared --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- the registers of the sums are set to 0 after the product has begun
//         and before the wait
// line: 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33
#include <cuda_fp16.h>

extern "C" __global__ void cleared(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) uint4 pa[2][64];
  __shared__ alignas(128) uint4 pb[2][8];
  const int t = threadIdx.x;
  pa[t % 2][t / 2] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) pb[t % 2][t / 2] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float s[4];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned;\n"
      "mov.f32 %0, 0f00000000;\n"
      "mov.f32 %1, 0f00000000;\n"
      "mov.f32 %2, 0f00000000;\n"
      "mov.f32 %3, 0f00000000;\n"
      "wgmma.wait_group.sync.aligned 0;"
      : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
      : "l"(__cvta_generic_to_shared(pa) >> 4 | 64ull << 16 | 8ull << 32),
        "l"(__cvta_generic_to_shared(pb) >> 4 | 8ull << 16 | 8ull << 32)
      : "memory");
#pragma unroll
  for (int i = 0; i < 4; ++i) c[t / 32 * 128 + t % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
