// check: --kernel leader_commits --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product, divergent-barrier -- only warp 0 commits: the products of the others
//         are in no group, and their wait does not wait for them
// line: 24, 25, 27, 28
#include <cuda_bf16.h>

extern "C" __global__ void leader_commits(const __nv_bfloat16* a, const __nv_bfloat16* b,
                                          float* c) {
  __shared__ alignas(128) uint4 half_k_a[2][64], half_k_b[2][8];
  const int n = threadIdx.x;
  half_k_a[n % 2][n / 2] = reinterpret_cast<const uint4*>(a)[n];
  if (n < 16) half_k_b[n % 2][n / 2] = reinterpret_cast<const uint4*>(b)[n];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(__cvta_generic_to_shared(half_k_a) >> 4 | 64ull << 16 | 8ull << 32),
        "l"(__cvta_generic_to_shared(half_k_b) >> 4 | 8ull << 16 | 8ull << 32)
      : "memory");
  if (n < 32) asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* row = reinterpret_cast<float2*>(c) + n / 32 * 64 + n % 32;
  row[0] = make_float2(s0, s1);
  row[32] = make_float2(s2, s3);
}
