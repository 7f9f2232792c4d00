// check: --kernel onlookers --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten --arg float32[128]=unwritten
#include <cuda_bf16.h>

// While the product runs, the threads read its tiles with plain loads and store beside them.
extern "C" __global__ void onlookers(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c,
                                     float* row_sums) {
  __shared__ struct {
    alignas(128) __nv_bfloat16 a[2][64][8];
    __nv_bfloat16 b[2][8][8];
    float halves[128];
  } s;
  const int t = threadIdx.x;
  for (int i = t; i < 1024; i += 128) s.a[i / 8 % 2][i / 16][i % 8] = a[i];
  s.b[t / 8 % 2][t / 16][t % 8] = b[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long da = __cvta_generic_to_shared(s.a) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long db = __cvta_generic_to_shared(s.b) >> 4 | 8ull << 16 | 8ull << 32;
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  float half_row = 0;
  for (int k = 0; k < 8; ++k) half_row += __bfloat162float(s.a[t % 2][t / 2][k]);
  s.halves[t] = half_row;
  __syncwarp();
  row_sums[t] = half_row + s.halves[t ^ 1];
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int m = t / 32 * 16 + t % 32 / 4 + i / 2 * 8, n = t % 4 * 2 + i % 2;
    float e = 0;
    for (int k = 0; k < 16; ++k) {
      e += __bfloat162float(a[m * 16 + k]) * __bfloat162float(b[n * 16 + k]);
    }
    if (e != d[i]) __trap();
    c[m * 8 + n] = d[i];
  }
}
