// check: --kernel rolling --grid 1 --block 128 --arg bfloat16[64,64]=integers
//        --arg bfloat16[8,64]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- the loop loads the next part of A into the same registers without
//         waiting for the product that reads them
// line: 20, 21, 22, 23
#include <cuda_bf16.h>

extern "C" __global__ void rolling(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(1024) uint4 b_rows[64];
  const int v = threadIdx.x, g = v / 32 * 16 + v % 32 / 4;
  if (v < 64) b_rows[v ^ v / 8] = reinterpret_cast<const uint4*>(b)[v];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(a) + g * 32 + v % 4;
  const unsigned long long d = __cvta_generic_to_shared(b_rows) >> 4 | 64ull << 32 | 1ull << 62;
  float s[4] = {};
  unsigned part[4];
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    part[0] = words[8 * k];
    part[1] = words[8 * k + 256];
    part[2] = words[8 * k + 4];
    part[3] = words[8 * k + 260];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "%8, 1, 1, 1, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(part[0]), "r"(part[1]), "r"(part[2]), "r"(part[3]), "l"(d + 2 * k)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[(g + i / 2 * 8) * 8 + v % 4 * 2 + i % 2] = s[i];
}
