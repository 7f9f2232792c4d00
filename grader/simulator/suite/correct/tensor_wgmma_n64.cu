// check: --kernel square --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,64]=integers --arg float32[64,64]=unwritten
#include <cuda_bf16.h>

#define SUMS(i) "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3])

// 64 columns: B by rows of 64 n, 128 bytes, swizzled; A by rows of 16 k without a swizzle.
extern "C" __global__ void square(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(1024) uint4 b_tile[16 * 8];
  __shared__ alignas(128) uint4 a_tile[2 * 64];
  const int t = threadIdx.x;
  b_tile[t ^ (t / 8 & 7)] = reinterpret_cast<const uint4*>(b)[t];
  a_tile[t % 2 * 64 + t / 2] = reinterpret_cast<const uint4*>(a)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float s[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) s[i] = i;
  const unsigned long long da = __cvta_generic_to_shared(a_tile) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(b_tile) >> 4 | 64ull << 32 | 1ull << 62;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, "
      "%9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, "
      "%27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 1;"
      : SUMS(0), SUMS(4), SUMS(8), SUMS(12), SUMS(16), SUMS(20), SUMS(24), SUMS(28)
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int m = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, n = i / 4 * 8 + t % 4 * 2 + i % 2;
    float e = i;
#pragma unroll 1
    for (int k = 0; k < 16; ++k) {
      e += __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[k * 64 + n]);
    }
    if (e != s[i]) __trap();
    c[m * 64 + n] = s[i];
  }
}
