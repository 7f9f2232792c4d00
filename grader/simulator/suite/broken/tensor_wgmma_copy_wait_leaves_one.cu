// check: --kernel prefetching --grid 1 --block 128 --arg float16[3,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: unfinished-copy -- cp.async.wait_group 1 is right while the next step is on its way, but
//         in the last step nothing follows, and its own copies are left running
// line: 13, 14, 22, 24, 31, 32, 33, 34, 35
#include <cuda_fp16.h>

constexpr int kParts = 3;

__device__ void load_part(uint4* place, const __half* part) {
  for (int i = threadIdx.x; i < 144; i += 128) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(place + (i ^ (i / 8 & 1))));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(part + 8 * i)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void prefetching(const __half* parts, float* out) {
  __shared__ alignas(256) uint4 rings[2][144];
  float g[4] = {};
  load_part(rings[0], parts);
  for (int p = 0; p < kParts; ++p) {
    if (p + 1 < kParts) load_part(rings[(p + 1) % 2], parts + (p + 1) * 1152);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned long long d =
        __cvta_generic_to_shared(rings[p % 2]) >> 4 | 16ull << 32 | 3ull << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(g[0]), "+f"(g[1]), "+f"(g[2]), "+f"(g[3])
        : "l"(d), "l"(d + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  float* mine = out + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  for (int i = 0; i < 4; ++i) mine[i / 2 * 64 + i % 2] = g[i];
}
