// check: --kernel loader_group --grid 1 --block 256 --arg float16[64,48]=integers
//        --arg float16[48,8]=integers --arg float32[64,8]=unwritten
#include <cuda_fp16.h>

// The second warpgroup stores the tiles, the first multiplies them. Named barrier 1 says that the
// tiles are full, barrier 2 that they are empty again. B lies by rows: 8 n a row.
extern "C" __global__ void loader_group(const __half* lhs, const __half* rhs, float* sums) {
  __shared__ alignas(128) __half full_lhs[64 * 16];
  __shared__ alignas(128) __half full_rhs[16 * 8];
  const int self = threadIdx.x % 128;
  if (threadIdx.x >= 128) {
    for (int part = 0; part < 3; ++part) {
      if (part > 0) asm volatile("bar.sync 2, 256;" ::: "memory");
      for (int i = self; i < 1024; i += 128) {
        const int row = i / 16, k = i % 16;
        full_lhs[row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8] = lhs[row * 48 + part * 16 + k];
      }
      full_rhs[self] = rhs[part * 128 + self];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("bar.arrive 1, 256;" ::: "memory");
    }
    return;
  }
  float e[4] = {0, 0, 0, 0};
  const unsigned long long lhs_at =
      __cvta_generic_to_shared(full_lhs) >> 4 | 8ull << 16 | 16ull << 32;
  const unsigned long long rhs_at = __cvta_generic_to_shared(full_rhs) >> 4 | 8ull << 16;
  for (int part = 0; part < 3; ++part) {
    asm volatile("bar.sync 1, 256;" ::: "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
        "1;"
        : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
        : "l"(lhs_at), "l"(rhs_at)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (part < 2) asm volatile("bar.sync 2, 256;" ::: "memory");
  }
  for (int i = 0; i < 4; ++i) {
    const int m = self / 32 * 16 + self % 32 / 4 + i / 2 * 8, n = self % 4 * 2 + i % 2;
    float exact = 0;
    for (int k = 0; k < 48; ++k) {
      exact += __half2float(lhs[m * 48 + k]) * __half2float(rhs[k * 8 + n]);
    }
    if (exact != e[i]) __trap();
    sums[m * 8 + n] = e[i];
  }
}
