// check: --kernel guarded --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten --arg int32=52
// expect: divergent-barrier -- the guard for the rows of c encloses the product, so that some lanes
//         of the last warp do not take part
// line: 21, 22, 23, 24, 25
#include <cuda_fp16.h>

extern "C" __global__ void guarded(const __half* a, const __half* b, float* c, int rows) {
  __shared__ alignas(256) uint4 sa[128];
  __shared__ alignas(256) uint4 sb[16];
  const int j = threadIdx.x, row = j / 32 * 16 + j % 32 / 4, col = j % 4 * 2;
  sa[j ^ (j / 8 & 1)] = reinterpret_cast<const uint4*>(a)[j];
  if (j < 16) sb[j ^ j / 8] = reinterpret_cast<const uint4*>(b)[j];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long da = __cvta_generic_to_shared(sa) >> 4 | 16ull << 32 | 3ull << 62;
  const unsigned long long db = __cvta_generic_to_shared(sb) >> 4 | 16ull << 32 | 3ull << 62;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (row < rows) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
        : "l"(da), "l"(db)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    c[row * 8 + col] = s0;
    c[row * 8 + col + 1] = s1;
    if (row + 8 < rows) {
      c[row * 8 + col + 64] = s2;
      c[row * 8 + col + 65] = s3;
    }
  }
}
