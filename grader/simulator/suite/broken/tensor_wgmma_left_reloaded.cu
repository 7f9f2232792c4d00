// check: --kernel second_half --grid 1 --block 128 --arg float16[64,32]=integers
//        --arg float16[32,8]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- after the wait the registers of A are loaded again, which is right, but
//         no wgmma.fence follows before the second product
// line: 20, 21, 22, 23, 24, 25, 26, 27
#include <cuda_fp16.h>

extern "C" __global__ void second_half(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) uint4 n_rows[32];
  const int t = threadIdx.x, g = t / 32 * 16 + t % 32 / 4;
  if (t < 32) n_rows[t] = reinterpret_cast<const uint4*>(b)[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned* from = reinterpret_cast<const unsigned*>(a) + g * 16 + t % 4;
  const unsigned long long d = __cvta_generic_to_shared(n_rows) >> 4 | 8ull << 16;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 1
  for (int k = 0; k < 2; ++k) {
    const unsigned p = from[8 * k], q = from[8 * k + 128];
    const unsigned r = from[8 * k + 4], u = from[8 * k + 132];
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, "
        "1, 1, 1, 1;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(p), "r"(q), "r"(r), "r"(u), "l"(d + 16 * k)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 4; ++i) c[(g + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = s[i];
}
