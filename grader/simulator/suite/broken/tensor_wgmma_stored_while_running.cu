// check: --kernel hasty --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: unfinished-product -- the tile of B is cleared for the next use after the commit,
//         but before the wait: the product may still read it
// line: 26
#include <cuda_bf16.h>

extern "C" __global__ void hasty(const __nv_bfloat16* rows, const __nv_bfloat16* cols,
                                 float* dots) {
  __shared__ alignas(256) uint4 rs[128];
  __shared__ alignas(256) uint4 cs[16];
  const int me = threadIdx.x;
  rs[me ^ (me / 8 & 1)] = reinterpret_cast<const uint4*>(rows)[me];
  if (me < 16) cs[me ^ me / 8] = reinterpret_cast<const uint4*>(cols)[me];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d0, d1, d2, d3;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
      : "l"(__cvta_generic_to_shared(rs) >> 4 | 16ull << 32 | 3ull << 62),
        "l"(__cvta_generic_to_shared(cs) >> 4 | 16ull << 32 | 3ull << 62)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (me < 16) cs[me] = make_uint4(0, 0, 0, 0);
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* first = dots + me / 32 * 128 + me % 32 * 2;
  first[0] = d0;
  first[1] = d1;
  first[64] = d2;
  first[65] = d3;
}
