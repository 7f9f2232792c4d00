// check: --kernel by_columns --grid 1 --block 128 --arg float16[16,64]=integers
//        --arg float16[16,16]=integers --arg float32[64,16]=unwritten --arg int32=0
#include <cuda_fp16.h>

// A by columns twice: in four panels of 16 m, swizzled by 32 bytes, and without a swizzle, in
// blocks of 8 k by 8 m. B by rows without a swizzle.
extern "C" __global__ void by_columns(const __half* at, const __half* b, float* c, int first) {
  __shared__ alignas(256) uint4 panels[4][16][2];
  __shared__ alignas(128) uint4 plain[2][8][8];     // [k / 8][m / 8][k % 8]
  __shared__ alignas(128) uint4 b_blocks[2][2][8];  // [n / 8][k / 8][k % 8]
  const int t = threadIdx.x, k8 = t / 8, m8 = t % 8;
  const uint4 eight = reinterpret_cast<const uint4*>(at)[t];
  panels[m8 / 2][k8][(m8 % 2) ^ (k8 / 4 % 2)] = eight;
  plain[k8 / 8][m8][k8 % 8] = eight;
  if (t < 32) b_blocks[t % 2][t / 16][t / 2 % 8] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // Panels: 512 bytes from one to the next, 256 bytes for eight k.
  const unsigned long long d0 =
      __cvta_generic_to_shared(panels) >> 4 | 32ull << 16 | 16ull << 32 | 3ull << 62;
  // Blocks: 128 bytes from 8 m to the next 8 (stride), 1,024 from 8 k to the next 8 (leading).
  const unsigned long long d1 = __cvta_generic_to_shared(plain) >> 4 | 64ull << 16 | 8ull << 32;
  // B: 256 bytes from 8 n to the next 8 (stride), 128 from 8 k to the next 8 (leading).
  const unsigned long long db = __cvta_generic_to_shared(b_blocks) >> 4 | 8ull << 16 | 16ull << 32;
  float s[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int turn = first; turn < 2; ++turn) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, "
        "%9, 1, 1, 1, 1, 1;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]),
          "+f"(s[7])
        : "l"(turn == 0 ? d0 : d1), "l"(db)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int m = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, n = i / 4 * 8 + t % 4 * 2 + i % 2;
    float e = 0;
    for (int k = 0; k < 16; ++k) e += __half2float(at[k * 64 + m]) * __half2float(b[k * 16 + n]);
    if (2 * e != s[i]) __trap();
    c[m * 16 + n] = s[i];
  }
}
