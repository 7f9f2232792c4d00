// check: --kernel epilogue --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: race -- after its own wait each warp puts its sums into the memory of the tiles; the
//         products of the other warps may still read there, because no barrier follows the wait
// line: 21, 22, 23, 24, 25, 29
#include <cuda_fp16.h>

extern "C" __global__ void epilogue(const __half* a, const __half* b, float* c) {
  __shared__ alignas(256) union {
    uint4 pieces[144];
    float sums[64][9];
  } u;
  const int t = threadIdx.x;
  u.pieces[t ^ (t / 8 & 1)] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) u.pieces[128 + (t ^ t / 8)] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long d = __cvta_generic_to_shared(&u) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(d), "l"(d + 128)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    u.sums[t / 32 * 16 + t % 32 / 4 + i / 2 * 8][t % 4 * 2 + i % 2] = s[i];
  }
  __syncthreads();
  for (int i = t; i < 512; i += 128) c[i] = u.sums[i / 8][i % 8];
}
