// check: --kernel refill --grid 1 --block 128 --shared 2560 --arg float16[2,1152]=integers
//        --arg float32[64,8]=unwritten
// expect: unfinished-product -- cp.async fills the only stage again while the product of the
//         step before may still read it; the wait stands too late
// line: 14, 15, 35
#include <cuda_fp16.h>

extern __shared__ __align__(1024) uint4 stage[];

// One step is 64 rows of A and 8 of B, 16 k each.
__device__ void bring(const __half* step) {
  for (int i = threadIdx.x; i < 144; i += 128) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(stage + (i ^ (i / 8 & 1))));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(step + i * 8)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void refill(const __half* steps, float* out) {
  const unsigned long long rows = __cvta_generic_to_shared(stage) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  bring(steps);
  for (int n = 0; n < 2; ++n) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(rows), "l"(rows + 128)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (n == 0) bring(steps + 1152);
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float* at = out + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  at[0] = s[0];
  at[1] = s[1];
  at[64] = s[2];
  at[65] = s[3];
}
