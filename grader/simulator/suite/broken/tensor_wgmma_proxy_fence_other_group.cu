// check: --kernel wrong_group --grid 1 --block 256 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- the second warpgroup stores the tiles, but the first one runs the fence,
//         before the barrier, where it orders none of these stores
// line: 25, 26, 27, 28, 29
#include <cuda_fp16.h>

extern "C" __global__ void wrong_group(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) __half smem_a[8][2][64];  // [m / 8][k / 8][place]
  __shared__ alignas(128) __half smem_b[2][64];
  const bool loads = threadIdx.x >= 128;
  const int i = threadIdx.x % 128;
  if (loads) {
    for (int e = i; e < 1024; e += 128) smem_a[e / 128][e / 8 % 2][e / 16 % 8 * 8 + e % 8] = a[e];
    smem_b[i / 8 % 2][i / 16 * 8 + i % 8] = b[i];
  } else {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (loads) return;
  float h[4] = {};
  unsigned long long da = __cvta_generic_to_shared(smem_a) >> 4 | 8ull << 16 | 16ull << 32;
  unsigned long long db = __cvta_generic_to_shared(smem_b) >> 4 | 8ull << 16 | 16ull << 32;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(h[0]), "+f"(h[1]), "+f"(h[2]), "+f"(h[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int k = 0; k < 4; ++k) {
    c[(i / 32 * 16 + i % 32 / 4 + k / 2 * 8) * 8 + i % 4 * 2 + k % 2] = h[k];
  }
}
