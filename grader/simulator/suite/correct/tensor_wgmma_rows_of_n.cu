// check: --kernel rows_of_n --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,32]=integers --arg float32[64,32]=unwritten
//        --arg float32[64,32]=unwritten
#include <cuda_bf16.h>

// B by rows of n twice: as one panel of 32 n, swizzled by 64 bytes, and as two panels of 16 n, one
// swizzled by 32 bytes. In the second the leading field is the way from one panel to the next.
extern "C" __global__ void rows_of_n(const __nv_bfloat16* a, const __nv_bfloat16* b, float* first,
                                     float* second) {
  __shared__ alignas(512) uint4 by64[16 * 4];
  __shared__ alignas(256) uint4 by32[2][16 * 2];
  if (threadIdx.x < 64) {
    const int k = threadIdx.x / 4, piece = threadIdx.x % 4;
    const uint4 eight = reinterpret_cast<const uint4*>(b)[threadIdx.x];
    by64[k * 4 + (piece ^ (k / 2 % 4))] = eight;
    by32[piece / 2][k * 2 + (piece % 2 ^ (k / 4 % 2))] = eight;
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int g = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const unsigned* pairs = reinterpret_cast<const unsigned*>(a);
  const unsigned r[4] = {pairs[g * 8 + t], pairs[(g + 8) * 8 + t], pairs[g * 8 + t + 4],
                         pairs[(g + 8) * 8 + t + 4]};
  const unsigned long long d64 =
      __cvta_generic_to_shared(by64) >> 4 | 2ull << 62 | 512ull >> 4 << 32;
  const unsigned long long d32 =
      __cvta_generic_to_shared(by32) >> 4 | 3ull << 62 | 256ull >> 4 << 32 | 512ull >> 4 << 16;
  for (int turn = 0; turn < 2; ++turn) {
    float s[16];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, 0, 1, 1, 1;"
        : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3]), "=f"(s[4]), "=f"(s[5]), "=f"(s[6]),
          "=f"(s[7]), "=f"(s[8]), "=f"(s[9]), "=f"(s[10]), "=f"(s[11]), "=f"(s[12]), "=f"(s[13]),
          "=f"(s[14]), "=f"(s[15])
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(turn == 0 ? d64 : d32)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int m = g + i % 4 / 2 * 8, n = i / 4 * 8 + 2 * t + i % 2;
      float slow = 0;
      for (int k = 0; k < 16; ++k) {
        slow += __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[k * 32 + n]);
      }
      if (slow != s[i]) __trap();
      (turn == 0 ? first : second)[m * 32 + n] = s[i];
    }
  }
}
