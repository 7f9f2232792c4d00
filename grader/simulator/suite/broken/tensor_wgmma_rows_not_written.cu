// check: --kernel short_b --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[12,16]=integers --arg float32[64,12]=unwritten --arg int32=12
// expect: uninitialized-read -- B has only 12 columns; the last 4 of the tile of 16 are never set
//         to 0, but the product reads them
// line: 20, 21, 22, 23, 24, 25, 26
#include <cuda_bf16.h>

extern "C" __global__ void short_b(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c,
                                   int n) {
  __shared__ alignas(256) uint4 tile_b[16 * 2];
  const int id = threadIdx.x, g = id / 32 * 16 + id % 32 / 4, t = id % 4;
  if (id < n * 2) tile_b[id ^ (id / 8 & 1)] = reinterpret_cast<const uint4*>(b)[id];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* p = reinterpret_cast<const unsigned*>(a) + g * 8 + t;
  const unsigned long long d = __cvta_generic_to_shared(tile_b) >> 4 | 16ull << 32 | 3ull << 62;
  float s[8] = {};
  unsigned a0 = p[0], a1 = p[64], a2 = p[4], a3 = p[68];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "{%8, %9, %10, %11}, %12, 1, 1, 1, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]),
        "+f"(s[7])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(d)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) {
    const int col = i / 4 * 8 + t * 2 + i % 2;
    if (col < n) c[(g + i % 4 / 2 * 8) * n + col] = s[i];
  }
}
