// check: --kernel held_left --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[16,16]=integers --arg float32[64,16]=unwritten
#include <cuda_fp16.h>

// A in registers; B by rows (n fastest) without a swizzle: blocks of 8 k by 8 n. The stride field
// is the distance along n, the leading field the one along k.
extern "C" __global__ void held_left(const __half* a, const __half* b, float* c) {
  __shared__ alignas(16) __half blocks[2][2][8][8];  // [k / 8][n / 8][k % 8][n % 8]
  const unsigned id = threadIdx.x, lane = id % 32;
  for (unsigned e = id; e < 256; e += 128) {
    const unsigned k = e / 16, n = e % 16;
    blocks[k / 8][n / 8][k % 8][n % 8] = b[e];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  const unsigned row = id / 32 * 16 + lane / 4;
  const unsigned* words = reinterpret_cast<const unsigned*>(a);  // Two elements each.
  unsigned a0 = words[row * 8 + lane % 4], a1 = words[(row + 8) * 8 + lane % 4];
  unsigned a2 = words[row * 8 + 4 + lane % 4], a3 = words[(row + 8) * 8 + 4 + lane % 4];
  const unsigned long long at = __cvta_generic_to_shared(&blocks[0][0][0][0]);
  const unsigned long long about_b = at >> 4 | 256ull >> 4 << 16 | 128ull >> 4 << 32;
  float f[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "{%8, %9, %10, %11}, %12, 1, 1, 1, 1;"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]), "+f"(f[4]), "+f"(f[5]), "+f"(f[6]),
        "+f"(f[7])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(about_b)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned m = row + i % 4 / 2 * 8, n = i / 4 * 8 + lane % 4 * 2 + i % 2;
    float check = 0;
    for (unsigned k = 0; k < 16; ++k) check += __half2float(a[m * 16 + k] * b[k * 16 + n]);
    if (check != f[i]) __trap();
    c[m * 16 + n] = f[i];
  }
}
