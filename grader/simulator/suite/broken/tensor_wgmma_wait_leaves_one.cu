// check: --kernel loose_wait --grid 1 --block 128 --arg float16[64,32]=integers
//        --arg float16[8,32]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- two groups are committed, and the wait leaves the last one running
//         when the sums are stored
// line: 36
#include <cuda_fp16.h>

extern "C" __global__ void loose_wait(const __half* x, const __half* y, float* z) {
  __shared__ alignas(512) uint4 xt[64 * 4];
  __shared__ alignas(512) uint4 yt[8 * 4];
  for (int i = threadIdx.x; i < 288; i += 128) {
    const int row = i / 4, at = (row * 4) + (i % 4 ^ (row / 2 % 4));
    if (row < 64) {
      xt[at] = reinterpret_cast<const uint4*>(x)[i];
    } else {
      yt[at - 256] = reinterpret_cast<const uint4*>(y)[i - 256];
    }
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float sums[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int half = 0; half < 2; ++half) {
    const unsigned long long xd = __cvta_generic_to_shared(xt) / 16 + 2 * half + (32ull << 32);
    const unsigned long long yd = __cvta_generic_to_shared(yt) / 16 + 2 * half + (32ull << 32);
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "l"(xd | 2ull << 62), "l"(yd | 2ull << 62)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    z[m * 8 + threadIdx.x % 4 * 2 + i % 2] = sums[i];
  }
}
