// check: --kernel impatient --grid 1 --block 128 --arg float16[3,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: race -- each warp waits for its product before it stores the next tile, but no barrier
//         follows the wait: the products of the other warps may still read the tile
// line: 15, 19, 20, 21, 22, 23
#include <cuda_fp16.h>

extern "C" __global__ void impatient(const __half* tiles, float* out) {
  __shared__ alignas(256) uint4 tile[144];
  const unsigned long long d = __cvta_generic_to_shared(tile) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
#pragma unroll 1
  for (int n = 0; n < 3; ++n) {
    const uint4* from = reinterpret_cast<const uint4*>(tiles + n * 1152);
    for (int i = threadIdx.x; i < 144; i += 128) tile[i ^ (i / 8 & 1)] = from[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d), "l"(d + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 4; ++i) {
    out[threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
  }
}
