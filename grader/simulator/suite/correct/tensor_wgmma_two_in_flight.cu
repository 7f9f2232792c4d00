// check: --kernel in_flight --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,16]=integers --arg float32[128,8]=unwritten
#include <cuda_bf16.h>

// Two products in groups of their own, with sums of their own: the first sums are used while the
// second product may still run.
__device__ void put(float* out, const float (&w)[4]) {
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    out[m * 8 + threadIdx.x % 4 * 2 + i % 2] = w[i];
  }
}

extern "C" __global__ void in_flight(const __nv_bfloat16* a, const __nv_bfloat16* b, float* out) {
  __shared__ alignas(256) uint4 a_tile[128], b_tiles[2][16];
  a_tile[threadIdx.x ^ (threadIdx.x / 8 & 1)] = reinterpret_cast<const uint4*>(a)[threadIdx.x];
  if (threadIdx.x < 32) {
    const int tile = threadIdx.x / 16, piece = threadIdx.x % 16;
    b_tiles[tile][piece ^ piece / 8] = reinterpret_cast<const uint4*>(b)[threadIdx.x];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long rows32 = 3ull << 62 | 16ull << 32;
  const unsigned long long ad = rows32 | __cvta_generic_to_shared(a_tile) >> 4;
  const unsigned long long b0 = rows32 | __cvta_generic_to_shared(b_tiles[0]) >> 4;
  const unsigned long long b1 = rows32 | __cvta_generic_to_shared(b_tiles[1]) >> 4;
  float x[4] = {}, y[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])
      : "l"(ad), "l"(b0)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(y[0]), "+f"(y[1]), "+f"(y[2]), "+f"(y[3])
      : "l"(ad), "l"(b1)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  put(out, x);
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  put(out + 512, y);
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float p = 0, q = 0;
    for (int k = 0; k < 16; ++k) {
      p += __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[n * 16 + k]);
      q += __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[(8 + n) * 16 + k]);
    }
    if (p != x[i] || q != y[i]) __trap();
  }
}
