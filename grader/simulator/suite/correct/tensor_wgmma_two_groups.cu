// check: --kernel both_groups --grid 1 --block 256 --arg bfloat16[128,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[128,8]=unwritten
#include <cuda_bf16.h>

// Two warpgroups multiply the upper and the lower 64 rows by the same B. Each stores the rows of
// the other, so that the barrier of the whole block is needed.
extern "C" __global__ void both_groups(const __nv_bfloat16* rows, const __nv_bfloat16* cols,
                                       float* result) {
  __shared__ alignas(256) uint4 halves[2][128];
  __shared__ alignas(256) uint4 common[16];
  const unsigned group = threadIdx.x / 128, member = threadIdx.x % 128;
  const uint4* from = reinterpret_cast<const uint4*>(rows) + (1 - group) * 128;
  halves[1 - group][member ^ (member / 8 & 1)] = from[member];
  if (threadIdx.x < 16) {
    common[threadIdx.x ^ threadIdx.x / 8] = reinterpret_cast<const uint4*>(cols)[threadIdx.x];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  const unsigned long long mine = __cvta_generic_to_shared(halves[group]) >> 4 | 16ull << 32;
  const unsigned long long theirs = __cvta_generic_to_shared(common) >> 4 | 16ull << 32;
  float v[4] = {0.f, 0.f, 0.f, 0.f};
  asm volatile(
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
      "0;\n"
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
      : "l"(mine | 3ull << 62), "l"(theirs | 3ull << 62)
      : "memory");
  const unsigned first = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned r = first + i / 2 * 8, c = threadIdx.x % 4 * 2 + i % 2;
    float sum = 0;
    for (unsigned k = 0; k < 16; ++k) {
      sum += __bfloat162float(rows[r * 16 + k]) * __bfloat162float(cols[c * 16 + k]);
    }
    if (sum != v[i]) __trap();
    result[r * 8 + c] = v[i];
  }
}
