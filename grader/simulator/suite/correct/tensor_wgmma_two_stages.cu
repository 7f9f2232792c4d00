// check: --kernel staged --grid 1 --block 128 --arg bfloat16[64,96]=integers
//        --arg bfloat16[8,96]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// Six steps of k = 16 through two stages: while the product of one step runs, the copies for the
// next arrive. A stage is filled again only after the product that reads it has been waited for by
// all four warps.
constexpr int kSteps = 6;

struct Stage {
  uint4 a[2][64];  // [k / 8][row]
  uint4 b[2][8];
};

__device__ void start_copies(Stage& stage, const __nv_bfloat16* a, const __nv_bfloat16* b,
                             int step) {
  for (int i = threadIdx.x; i < 144; i += 128) {
    const int row = i / 2, half = i % 2;
    const __nv_bfloat16* from = row < 64 ? a + row * 96 : b + (row - 64) * 96;
    uint4* to = row < 64 ? &stage.a[half][row] : &stage.b[half][row - 64];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from + step * 16 + half * 8)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void staged(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(128) Stage stages[2];
  float acc[4] = {};
  start_copies(stages[0], a, b, 0);
  for (int step = 0; step < kSteps; ++step) {
    Stage& now = stages[step % 2];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])::"memory");
    __syncthreads();  // This step's tiles are there, and the step before has read its own.
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const unsigned long long ad = __cvta_generic_to_shared(now.a) >> 4 | 64ull << 16 | 8ull << 32;
    const unsigned long long bd = __cvta_generic_to_shared(now.b) >> 4 | 8ull << 16 | 8ull << 32;
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, "
        "0, 0;"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])
        : "l"(ad), "l"(bd)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (step + 1 < kSteps) start_copies(stages[(step + 1) % 2], a, b, step + 1);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3])::"memory");
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float loop = 0;
    for (int k = 0; k < 96; ++k) {
      loop += __bfloat162float(a[m * 96 + k]) * __bfloat162float(b[n * 96 + k]);
    }
    if (loop != acc[i]) __trap();
    c[m * 8 + n] = acc[i];
  }
}
