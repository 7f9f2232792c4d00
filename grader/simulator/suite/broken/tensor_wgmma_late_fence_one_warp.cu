// check: --kernel one_warp_fences --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- fence.proxy.async stands behind the barrier and only warp 0 runs it, so
//         that it lies on the way to the product of warp 0 only
// line: 20, 21, 22, 23, 24
#include <cuda_fp16.h>

extern "C" __global__ void one_warp_fences(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) uint4 ta[2][64];
  __shared__ alignas(128) uint4 tb[2][8];
  const unsigned t = threadIdx.x;
  ta[t % 2][t / 2] = reinterpret_cast<const uint4*>(a)[t];
  if (t < 16) tb[t % 2][t / 2] = reinterpret_cast<const uint4*>(b)[t];
  __syncthreads();
  if (t < 32) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const unsigned long long da = __cvta_generic_to_shared(ta) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(tb) >> 4 | 8ull << 16 | 8ull << 32;
  float v[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[t / 32 * 128 + t % 32 * 2 + i / 2 * 64 + i % 2] = v[i];
}
