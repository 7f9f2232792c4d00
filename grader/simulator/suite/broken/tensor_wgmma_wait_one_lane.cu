// check: --kernel lane_waits --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- only the first lane of each warp waits for the group; the wait is an
//         instruction of the whole warpgroup
// line: 24
#include <cuda_fp16.h>

extern "C" __global__ void lane_waits(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) uint4 tile_a[2][64], tile_b[2][8];
  const int f = threadIdx.x;
  tile_a[f & 1][f >> 1] = reinterpret_cast<const uint4*>(a)[f];
  if (f < 16) tile_b[f & 1][f >> 1] = reinterpret_cast<const uint4*>(b)[f];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(__cvta_generic_to_shared(tile_a) >> 4 | 64ull << 16 | 8ull << 32),
        "l"(__cvta_generic_to_shared(tile_b) >> 4 | 8ull << 16 | 8ull << 32)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (f % 32 == 0) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) c[f / 32 * 128 + f % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
