// check: --kernel two_warps --grid 1 --block 64 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- the block has 64 threads, half a warpgroup; each thread was meant to
//         hold a row
// line: 18, 19, 20, 21, 22, 23, 24
#include <cuda_fp16.h>

extern "C" __global__ void two_warps(const __half* a, const __half* b, float* c) {
  __shared__ alignas(256) uint4 as[128], bs[16];
  const int row = threadIdx.x;
  as[(2 * row) ^ (row / 4 & 1)] = reinterpret_cast<const uint4*>(a)[2 * row];
  as[(2 * row + 1) ^ (row / 4 & 1)] = reinterpret_cast<const uint4*>(a)[2 * row + 1];
  if (row < 16) bs[row ^ row / 8] = reinterpret_cast<const uint4*>(b)[row];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long mode = 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(__cvta_generic_to_shared(as) >> 4 | mode), "l"(__cvta_generic_to_shared(bs) >> 4 | mode)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[row * 8 + i] = s[i];
}
