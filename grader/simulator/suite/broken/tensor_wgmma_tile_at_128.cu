// check: --kernel packed_tiles --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: misaligned -- B, swizzled by 32 bytes, begins 128 bytes into the array; the pattern
//         repeats every 256 bytes and must begin at a multiple of that
// line: 21, 22, 23, 24, 25, 26
#include <cuda_bf16.h>

extern "C" __global__ void packed_tiles(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 room[8 + 16];
  const int id = threadIdx.x, g = id / 32 * 16 + id % 32 / 4;
  if (id < 8) room[id] = make_uint4(0, 0, 0, 0);  // Flags, not used here.
  if (id < 16) room[8 + (id ^ id / 8)] = reinterpret_cast<const uint4*>(b)[id];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* p = reinterpret_cast<const unsigned*>(a) + g * 8 + id % 4;
  unsigned w = p[0], x = p[64], y = p[4], z = p[68];
  const unsigned long long to_b =
      __cvta_generic_to_shared(room + 8) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
      "1, 1, 1, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(w), "r"(x), "r"(y), "r"(z), "l"(to_b)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[(g + i / 2 * 8) * 8 + id % 4 * 2 + i % 2] = s[i];
}
