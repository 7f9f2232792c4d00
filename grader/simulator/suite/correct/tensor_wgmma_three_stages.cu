// check: --kernel conveyor --grid 1 --block 128 --arg float16[7,1152]=integers
//        --arg float32[64,8]=unwritten
#include <cuda_fp16.h>

// Three stages: one product runs, one product's tiles wait, one stage is filled. Behind the wait
// and the barrier, all warps' products of the step before have ended; their stage is filled.
constexpr int kTiles = 7;

__device__ void fill(uint4* stage, const __half* tile) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(stage));
  for (unsigned i = threadIdx.x; i < 144; i += 128) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + (i ^ (i / 8 & 1)) * 16),
                 "l"(tile + 8 * i)
                 : "memory");
  }
}

extern "C" __global__ void conveyor(const __half* tiles, float* out) {
  __shared__ alignas(256) uint4 belt[3][144];
  float s[4] = {};
  for (int n = 0; n < 2; ++n) {
    fill(belt[n], tiles + n * 1152);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
#pragma unroll 1
  for (int n = 0; n < kTiles; ++n) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned long long d =
        __cvta_generic_to_shared(belt[n % 3]) >> 4 | 16ull << 32 | 3ull << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d), "l"(d + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads();
    if (n + 2 < kTiles) fill(belt[(n + 2) % 3], tiles + (n + 2) * 1152);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float sum = 0;
    for (int k = 0; k < 16 * kTiles; ++k) {
      const __half* tile = tiles + k / 16 * 1152 + k % 16;
      sum += __half2float(tile[m * 16]) * __half2float(tile[1024 + n * 16]);
    }
    if (sum != s[i]) __trap();
    out[m * 8 + n] = s[i];
  }
}
