// check: --kernel two_sets --grid 1 --block 128 --arg float16[64,64]=integers
//        --arg float16[64,8]=integers --arg float32[64,8]=unwritten
#include <cuda_fp16.h>

// A in two sets of registers: while the product of one set runs, the other set is loaded. Before a
// set is loaded again, the product that reads it has been waited for.
extern "C" __global__ void two_sets(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) uint4 rows[64];  // 8 n a row, no swizzle.
  const int t = threadIdx.x, g = t / 32 * 16 + t % 32 / 4;
  if (t < 64) rows[t] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* from = reinterpret_cast<const unsigned*>(a) + g * 32 + t % 4;
  const unsigned long long d = __cvta_generic_to_shared(rows) >> 4 | 8ull << 16;
  float s[4] = {};
  unsigned set[2][4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    unsigned(&now)[4] = set[k % 2];
    for (int i = 0; i < 4; ++i) now[i] = from[8 * k + i % 2 * 256 + i / 2 * 4];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
        "1, 1, 1, 1;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(now[0]), "r"(now[1]), "r"(now[2]), "r"(now[3]), "l"(d + 16 * k)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int m = g + i / 2 * 8, n = t % 4 * 2 + i % 2;
    float e = 0;
    for (int k = 0; k < 64; ++k) e += __half2float(a[m * 64 + k]) * __half2float(b[k * 8 + n]);
    if (e != s[i]) __trap();
    c[m * 8 + n] = s[i];
  }
}
