// check: --kernel half_meets --grid 1 --block 256 --arg bfloat16[128,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[128,8]=unwritten
// expect: race -- the first warpgroup stores B for both, but each warpgroup meets only at a barrier
//         of its own 128 threads
// line: 13, 21, 22, 23, 24, 25
#include <cuda_bf16.h>

extern "C" __global__ void half_meets(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 each[2][128];
  __shared__ alignas(256) uint4 once[16];
  const unsigned team = threadIdx.x / 128, member = threadIdx.x % 128;
  each[team][member ^ (member / 8 & 1)] = reinterpret_cast<const uint4*>(a)[threadIdx.x];
  if (threadIdx.x < 16) once[member ^ member / 8] = reinterpret_cast<const uint4*>(b)[member];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync %0, 128;" ::"r"(1 + team) : "memory");
  const unsigned long long ea =
      __cvta_generic_to_shared(each[team]) >> 4 | 16ull << 32 | 3ull << 62;
  const unsigned long long eb = __cvta_generic_to_shared(once) >> 4 | 16ull << 32 | 3ull << 62;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(ea), "l"(eb)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* o = c + threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2;
  for (int i = 0; i < 4; ++i) o[i / 2 * 64 + i % 2] = s[i];
}
