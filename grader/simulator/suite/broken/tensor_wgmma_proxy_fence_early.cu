// check: --kernel fence_first --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,16]=integers --arg float32[64,16]=unwritten
// expect: missing-fence -- fence.proxy.async stands before the stores into the tile; it orders only
//         what comes before it
// line: 20, 21, 22, 23, 24, 25, 26
#include <cuda_bf16.h>

extern "C" __global__ void fence_first(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 panel[32];  // B by rows: 16 n are 32 bytes, swizzled.
  const unsigned tid = threadIdx.x, g = tid / 32 * 16 + tid % 32 / 4, q = tid % 4;
  const unsigned* wa = reinterpret_cast<const unsigned*>(a);
  const unsigned a0 = wa[g * 8 + q], a1 = wa[g * 8 + 64 + q];
  const unsigned a2 = wa[g * 8 + q + 4], a3 = wa[g * 8 + 68 + q];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (tid < 32) panel[tid ^ (tid >> 3 & 1)] = reinterpret_cast<const uint4*>(b)[tid];
  __syncthreads();
  float e[8] = {};
  const unsigned long long db = __cvta_generic_to_shared(panel) >> 4 | 16ull << 32 | 3ull << 62;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "{%8, %9, %10, %11}, %12, 1, 1, 1, 1;"
      : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3]), "+f"(e[4]), "+f"(e[5]), "+f"(e[6]),
        "+f"(e[7])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) c[(g + i % 4 / 2 * 8) * 16 + i / 4 * 8 + 2 * q + i % 2] = e[i];
}
