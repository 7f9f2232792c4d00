// check: --kernel gap --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: uninitialized-read -- the second half of k of B is stored 128 bytes behind the first, but
//         the leading field says 256, where nothing has been stored
// line: 20, 21, 22, 23, 24
#include <cuda_bf16.h>

extern "C" __global__ void gap(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(128) uint4 left[2 * 64];
  __shared__ alignas(128) uint4 right[4 * 8];  // Room for k = 32; only 16 are used.
  const int i = threadIdx.x;
  left[i % 2 * 64 + i / 2] = reinterpret_cast<const uint4*>(a)[i];
  if (i < 16) right[i % 2 * 8 + i / 2] = reinterpret_cast<const uint4*>(b)[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long da = __cvta_generic_to_shared(left) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(right) >> 4 | 16ull << 16 | 8ull << 32;
  float e0 = 0, e1 = 0, e2 = 0, e3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(e0), "+f"(e1), "+f"(e2), "+f"(e3)
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* o = reinterpret_cast<float2*>(c) + i / 32 * 64 + i % 32;
  o[0] = make_float2(e0, e1);
  o[32] = make_float2(e2, e3);
}
