// check: --kernel swapped --grid 1 --block 128 --arg float16[3,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: unfinished-product -- the barrier stands before the wait, not behind it: a warp that has
//         waited stores the next tile, while the products of the other warps, which have met the
//         barrier but not waited, may still read
// line: 16, 21, 22, 23, 24, 25, 26
#include <cuda_fp16.h>

extern "C" __global__ void swapped(const __half* tiles, float* out) {
  __shared__ alignas(256) uint4 only_tile[144];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(only_tile));
  float p = 0, q = 0, r = 0, s = 0;
#pragma unroll 1
  for (int n = 0; n < 3; ++n) {
    for (int i = threadIdx.x; i < 144; i += 128) {
      only_tile[i ^ (i / 8 & 1)] = reinterpret_cast<const uint4*>(tiles + n * 1152)[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(p), "+f"(q), "+f"(r), "+f"(s)
        : "l"(at >> 4 | 16ull << 32 | 3ull << 62), "l"((at + 2048) >> 4 | 16ull << 32 | 3ull << 62)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float* o = out + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  o[0] = p;
  o[1] = q;
  o[64] = r;
  o[65] = s;
}
