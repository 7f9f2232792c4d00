// check: --kernel late_fence --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
#include <cuda_fp16.h>

// The fence between the proxies stands behind the barrier, in every thread that multiplies. The
// memory model asks only that a fence lies on the way from each store to the product.
extern "C" __global__ void late_fence(const __half* g, const __half* h, float* gh) {
  __shared__ alignas(128) uint4 tiles[2 * 72];
  for (int i = threadIdx.x; i < 144; i += 128) {
    const int row = i / 2, half = i % 2;
    const uint4* source = reinterpret_cast<const uint4*>(row < 64 ? g : h - 1024);
    tiles[half * 72 + row] = source[i];
  }
  __syncthreads();
  asm volatile("fence.proxy.async;" ::: "memory");
  const unsigned long long fields = 72ull << 16 | 8ull << 32;
  const unsigned long long gd = fields | __cvta_generic_to_shared(tiles) >> 4;
  const unsigned long long hd = fields | __cvta_generic_to_shared(tiles + 64) >> 4;
  float f0 = 0, f1 = 0, f2 = 0, f3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(f0), "+f"(f1), "+f"(f2), "+f"(f3)
      : "l"(gd), "l"(hd)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const float f[4] = {f0, f1, f2, f3};
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float dot = 0;
    for (int k = 0; k < 16; ++k) dot += __half2float(g[m * 16 + k]) * __half2float(h[n * 16 + k]);
    if (dot != f[i]) __trap();
    gh[m * 8 + n] = f[i];
  }
}
