// check: --kernel walk --grid 1 --block 128 --arg bfloat16[64,64]=integers
//        --arg bfloat16[8,64]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// A comes through registers that are loaded again in each step, after the wait for the product that
// reads them; the sums are doubled between the steps, each time before wgmma.fence.
extern "C" __global__ void walk(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(1024) uint4 columns[8 * 8];
  if (threadIdx.x < 64) {
    columns[threadIdx.x ^ threadIdx.x / 8] = reinterpret_cast<const uint4*>(b)[threadIdx.x];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int g = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const unsigned* here = reinterpret_cast<const unsigned*>(a + g * 64 + 2 * t);
  const unsigned long long start =
      __cvta_generic_to_shared(columns) >> 4 | 1ull << 62 | 64ull << 32;
  float h[4] = {0, 0, 0, 0};
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
    unsigned a0 = here[step * 8], a1 = here[step * 8 + 256], a2 = here[step * 8 + 4];
    unsigned a3 = here[step * 8 + 260];
    for (int i = 0; i < 4; ++i) h[i] *= 2;
    asm volatile("wgmma.fence.sync.aligned;"
                 : "+f"(h[0]), "+f"(h[1]), "+f"(h[2]), "+f"(h[3]), "+r"(a0), "+r"(a1), "+r"(a2),
                   "+r"(a3)::"memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "%8, 1, 1, 1, 0;"
        : "+f"(h[0]), "+f"(h[1]), "+f"(h[2]), "+f"(h[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(start + 2 * step)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(h[0]), "+f"(h[1]), "+f"(h[2]), "+f"(h[3])::"memory");
  }
  for (int i = 0; i < 4; ++i) {
    const int m = g + i / 2 * 8, n = 2 * t + i % 2;
    float s = 0;
    for (int k = 0; k < 64; ++k) {
      if (k % 16 == 0) s *= 2;
      s += __bfloat162float(a[m * 64 + k]) * __bfloat162float(b[n * 64 + k]);
    }
    if (s != h[i]) __trap();
    c[m * 8 + n] = h[i];
  }
}
