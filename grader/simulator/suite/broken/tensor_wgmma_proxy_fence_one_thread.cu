// check: --kernel one_fences --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- every thread stores, but only thread 0 runs fence.proxy.async, before
//         the barrier; it orders the stores of thread 0 only
// line: 20, 21, 22, 23, 24, 25
#include <cuda_bf16.h>

extern "C" __global__ void one_fences(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 tile_of_a[128];
  __shared__ alignas(256) uint4 tile_of_b[16];
  tile_of_a[threadIdx.x ^ (threadIdx.x / 8 & 1)] = reinterpret_cast<const uint4*>(a)[threadIdx.x];
  if (threadIdx.x < 16) {
    tile_of_b[threadIdx.x ^ threadIdx.x / 8] = reinterpret_cast<const uint4*>(b)[threadIdx.x];
  }
  if (threadIdx.x == 0) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long rest = 3ull << 62 | 16ull << 32;
  float t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(t0), "+f"(t1), "+f"(t2), "+f"(t3)
      : "l"(rest | __cvta_generic_to_shared(tile_of_a) >> 4),
        "l"(rest | __cvta_generic_to_shared(tile_of_b) >> 4)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* spot = c + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  spot[0] = t0;
  spot[1] = t1;
  spot[64] = t2;
  spot[65] = t3;
}
