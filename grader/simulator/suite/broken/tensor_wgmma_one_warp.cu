// check: --kernel first_warp --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- only warp 0 multiplies, as it could with mma.sync; wgmma needs all
//         four warps of the warpgroup
// line: 19, 20, 21, 22, 23, 24
#include <cuda_fp16.h>

extern "C" __global__ void first_warp(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) __half at[2][64][8], bt[2][8][8];
  const int id = threadIdx.x;
  for (int i = id; i < 1024; i += 128) at[i / 8 % 2][i / 16][i % 8] = a[i];
  bt[id / 8 % 2][id / 16][id % 8] = b[id];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (id / 32 == 0) {
    float s[4] = {};
    const unsigned long long ad = __cvta_generic_to_shared(at) >> 4 | 64ull << 16 | 8ull << 32;
    const unsigned long long bd = __cvta_generic_to_shared(bt) >> 4 | 8ull << 16 | 8ull << 32;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(ad), "l"(bd)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) c[id * 2 + i / 2 * 64 + i % 2] = s[i];
  }
}
