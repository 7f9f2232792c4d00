// check: --kernel reused --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten --arg int32[128]=unwritten
// expect: unfinished-product -- in one piece of PTX, the first register of A becomes a counter
//         before the product that reads it has been waited for
// line: 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#include <cuda_fp16.h>

extern "C" __global__ void reused(const __half* a, const __half* b, float* c, int* counters) {
  __shared__ alignas(256) uint4 tile[16];
  const int v = threadIdx.x, g = v / 32 * 16 + v % 32 / 4;
  if (v < 16) tile[v ^ v / 8] = reinterpret_cast<const uint4*>(b)[v];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(a) + g * 8 + v % 4;
  unsigned r = words[0], r1 = words[64], r2 = words[4], r3 = words[68];
  const unsigned long long d = __cvta_generic_to_shared(tile) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile(
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
      "1, 1, 1, 0;\n"
      "wgmma.commit_group.sync.aligned;\n"
      "mov.u32 %4, %%tid.x;\n"
      "add.u32 %4, %4, 1;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+r"(r)
      : "r"(r1), "r"(r2), "r"(r3), "l"(d)
      : "memory");
  counters[v] = r;
  for (int i = 0; i < 4; ++i) c[(g + i / 2 * 8) * 8 + v % 4 * 2 + i % 2] = s[i];
}
