// check: --kernel rotating --grid 1 --block 128 --arg float16[4,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: unfinished-product -- wait_group 1 leaves the newest product running, and the copies then
//         go into just the stage that it reads
// line: 13, 14, 15, 41
#include <cuda_fp16.h>

constexpr int kTiles = 4;

__device__ void send(uint4* stage, const __half* tile) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(stage));
  for (unsigned i = threadIdx.x; i < 144; i += 128) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + (i ^ (i / 8 & 1)) * 16),
                 "l"(tile + 8 * i)
                 : "memory");
  }
}

extern "C" __global__ void rotating(const __half* tiles, float* out) {
  __shared__ alignas(256) uint4 ring[2][144];
  float s[4] = {};
  for (int n = 0; n < 2; ++n) {
    send(ring[n], tiles + n * 1152);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int n = 0; n < kTiles; ++n) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned long long d =
        __cvta_generic_to_shared(ring[n % 2]) >> 4 | 16ull << 32 | 3ull << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d), "l"(d + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads();
    if (n + 2 < kTiles) send(ring[n % 2], tiles + (n + 2) * 1152);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* o = out + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  for (int i = 0; i < 4; ++i) o[i / 2 * 64 + i % 2] = s[i];
}
