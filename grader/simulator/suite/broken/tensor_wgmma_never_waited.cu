// check: --kernel forgotten --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg int32[128]=unwritten
// expect: warning -- the kernel ends while its product may still run, without a wait. (A
//         warning.)
// line: 18, 19, 20, 21, 22, 23, 24
#include <cuda_bf16.h>

// A warm-up product whose sums are not used.
extern "C" __global__ void forgotten(const __nv_bfloat16* a, const __nv_bfloat16* b, int* done) {
  __shared__ alignas(128) uint4 warm_a[2][64], warm_b[2][8];
  const int t = threadIdx.x;
  warm_a[t & 1][t >> 1] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) warm_b[t & 1][t >> 1] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float u0, u1, u2, u3;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(u0), "=f"(u1), "=f"(u2), "=f"(u3)
      : "l"(__cvta_generic_to_shared(warm_a) >> 4 | 64ull << 16 | 8ull << 32),
        "l"(__cvta_generic_to_shared(warm_b) >> 4 | 8ull << 16 | 8ull << 32)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  done[t] = 1;
}
