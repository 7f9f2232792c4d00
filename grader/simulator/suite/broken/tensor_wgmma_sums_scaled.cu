// check: --kernel decayed --grid 1 --block 128 --arg bfloat16[64,32]=integers
//        --arg bfloat16[8,32]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- the sums are halved between two products, after a wait but without a new
//         wgmma.fence
// line: 21, 22, 23, 24, 25, 28
#include <cuda_bf16.h>

extern "C" __global__ void decayed(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(512) uint4 pa[256];
  __shared__ alignas(512) uint4 pb[32];
  const int r = threadIdx.x;
  for (int i = r; i < 256; i += 128) pa[i ^ (i / 8 & 3)] = reinterpret_cast<const uint4*>(a)[i];
  if (r < 32) pb[r ^ (r / 8 & 3)] = reinterpret_cast<const uint4*>(b)[r];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long da = __cvta_generic_to_shared(pa) >> 4 | 32ull << 32 | 2ull << 62;
  const unsigned long long db = __cvta_generic_to_shared(pb) >> 4 | 32ull << 32 | 2ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 2; ++k) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(da + 2 * k), "l"(db + 2 * k)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])::"memory");
    for (int i = 0; i < 4; ++i) s[i] *= 0.5f;
  }
  for (int i = 0; i < 4; ++i) c[r / 32 * 128 + r % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
