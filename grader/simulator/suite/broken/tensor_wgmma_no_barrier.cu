// check: --kernel no_meeting --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: race -- each thread stores a part of the tiles and fences it, but no barrier stands
//         between the stores and the product, which reads the parts of all threads
// line: 13, 15, 21, 22, 23, 24, 25
#include <cuda_fp16.h>

extern "C" __global__ void no_meeting(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) __half2 ta[2][64][4];
  __shared__ alignas(128) __half2 tb[2][8][4];
  const int z = threadIdx.x;
  for (int i = z; i < 512; i += 128) {
    ta[i / 4 % 2][i / 8][i % 4] = reinterpret_cast<const __half2*>(a)[i];
  }
  if (z < 64) tb[z / 4 % 2][z / 8][z % 4] = reinterpret_cast<const __half2*>(b)[z];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const unsigned long long da = __cvta_generic_to_shared(ta) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(tb) >> 4 | 8ull << 16 | 8ull << 32;
  float r0, r1, r2, r3;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(r0), "=f"(r1), "=f"(r2), "=f"(r3)
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* to = reinterpret_cast<float2*>(c) + z / 32 * 64 + z % 32;
  to[0] = make_float2(r0, r1);
  to[32] = make_float2(r2, r3);
}
