// check: --kernel doubled --grid 1 --block 128 --arg bfloat16[64,32]=integers
//        --arg bfloat16[8,32]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- between two products the sums are doubled without a wait for the
//         first product
// line: 20, 21, 22, 23
#include <cuda_bf16.h>

extern "C" __global__ void doubled(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(512) uint4 rows[288];
  for (int i = threadIdx.x; i < 288; i += 128) {
    rows[i ^ (i / 8 & 3)] =
        i < 256 ? reinterpret_cast<const uint4*>(a)[i] : reinterpret_cast<const uint4*>(b)[i - 256];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long d = __cvta_generic_to_shared(rows) >> 4 | 32ull << 32 | 2ull << 62;
  float w = 0, x = 0, y = 0, z = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    w *= 2;
    x *= 2;
    y *= 2;
    z *= 2;
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(w), "+f"(x), "+f"(y), "+f"(z)::"memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(w), "+f"(x), "+f"(y), "+f"(z)
        : "l"(d + 2 * k), "l"(d + 256 + 2 * k)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* o = reinterpret_cast<float2*>(c) + threadIdx.x / 32 * 64 + threadIdx.x % 32;
  o[0] = make_float2(w, x);
  o[32] = make_float2(y, z);
}
