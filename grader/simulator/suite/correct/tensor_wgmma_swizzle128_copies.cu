// check: --kernel long_rows --grid 1 --block 128 --shared 10240 --arg bfloat16[64,64]=integers
//        --arg bfloat16[8,64]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// k = 64: rows of 128 bytes, fetched with cp.async, four products.
extern __shared__ __align__(1024) unsigned char arena[];

__device__ void fetch(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

extern "C" __global__ void long_rows(const __nv_bfloat16* weights, const __nv_bfloat16* inputs,
                                     float* outputs) {
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(arena));
  for (unsigned piece = threadIdx.x; piece < 72 * 8; piece += 128) {
    const unsigned row = piece / 8, col = piece % 8;
    const __nv_bfloat16* source =
        row < 64 ? weights + row * 64 + col * 8 : inputs + (row - 64) * 64 + col * 8;
    fetch(base + row * 128 + (col ^ row % 8) * 16, source);
  }
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  const unsigned long long shape = 1ull << 62 | 64ull << 32 | 1ull << 16;
  unsigned long long weights_at = shape | base >> 4, inputs_at = shape | (base + 8192) >> 4;
  float y[4] = {0, 0, 0, 0};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int step = 0; step < 4; ++step) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, "
        "0, 0;"
        : "+f"(y[0]), "+f"(y[1]), "+f"(y[2]), "+f"(y[3])
        : "l"(weights_at + 2 * step), "l"(inputs_at + 2 * step)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (int i = 0; i < 4; ++i) {
    const int r = row + i / 2 * 8, c = threadIdx.x % 4 * 2 + i % 2;
    float slow = 0;
    for (int k = 0; k < 64; ++k) {
      slow =
          fmaf(__bfloat162float(weights[r * 64 + k]), __bfloat162float(inputs[c * 64 + k]), slow);
    }
    if (slow != y[i]) __trap();
    outputs[r * 8 + c] = y[i];
  }
}
