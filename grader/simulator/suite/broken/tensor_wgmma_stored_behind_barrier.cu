// check: --kernel two_roles --grid 1 --block 256 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product, race -- the second warpgroup clears A behind a barrier that the first
//         one meets before it waits for its product
// line: 22, 23, 24, 25, 26, 37
#include <cuda_bf16.h>

extern "C" __global__ void two_roles(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(128) uint4 first_a[128];
  __shared__ alignas(128) uint4 first_b[16];
  const int t = threadIdx.x % 128;
  const bool multiplies = threadIdx.x < 128;
  if (multiplies) {
    first_a[t % 2 * 64 + t / 2] = reinterpret_cast<const uint4*>(a)[t];
    if (t < 16) first_b[t % 2 * 8 + t / 2] = reinterpret_cast<const uint4*>(b)[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync 1, 128;" ::: "memory");
    const unsigned long long da = __cvta_generic_to_shared(first_a) >> 4 | 64ull << 16 | 8ull << 32;
    const unsigned long long db = __cvta_generic_to_shared(first_b) >> 4 | 8ull << 16 | 8ull << 32;
    float e0 = 0, e1 = 0, e2 = 0, e3 = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(e0), "+f"(e1), "+f"(e2), "+f"(e3)
        : "l"(da), "l"(db)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("bar.sync 2, 256;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    float* o = c + t / 32 * 128 + t % 32 * 2;
    o[0] = e0;
    o[1] = e1;
    o[64] = e2;
    o[65] = e3;
  } else {
    asm volatile("bar.sync 2, 256;" ::: "memory");
    first_a[t] = make_uint4(0, 0, 0, 0);
  }
}
