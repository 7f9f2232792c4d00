// check: --kernel leader_fences --grid 1 --block 32,4 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence, divergent-barrier -- only warp 0 runs wgmma.fence; it orders the registers
//         of the warp that runs it, and the three others run none
// line: 20, 21, 22, 23, 24, 25
#include <cuda_fp16.h>

extern "C" __global__ void leader_fences(const __half* a, const __half* b, float* c) {
  __shared__ alignas(256) uint4 mem_a[128];
  __shared__ alignas(256) uint4 mem_b[16];
  const int warp = threadIdx.y, id = warp * 32 + threadIdx.x;
  mem_a[id ^ (id / 8 & 1)] = reinterpret_cast<const uint4*>(a)[id];
  if (id < 16) mem_b[id ^ id / 8] = reinterpret_cast<const uint4*>(b)[id];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long upper = 16ull << 32 | 3ull << 62;
  const unsigned long long da = upper | __cvta_generic_to_shared(mem_a) >> 4;
  const unsigned long long db = upper | __cvta_generic_to_shared(mem_b) >> 4;
  float s[4] = {};
  if (warp == 0) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[warp * 128 + threadIdx.x * 2 + i / 2 * 64 + i % 2] = s[i];
}
