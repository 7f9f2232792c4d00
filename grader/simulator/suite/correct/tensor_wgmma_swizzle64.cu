// check: --kernel half_panels --grid 1 --block 128 --arg float16[64,32]=integers
//        --arg float16[32,32]=integers --arg float32[64,32]=unwritten
#include <cuda_fp16.h>

// k = 32 in two products of one group: 64 bytes a row, and the second product begins 32 bytes on.
__device__ int swirl(int row, int k) {
  return row * 32 + ((k / 8) ^ (row / 2 % 4)) * 8 + k % 8;
}

extern "C" __global__ void half_panels(const __half* u, const __half* v, float* out) {
  __shared__ alignas(512) __half u_panel[64 * 32];
  __shared__ alignas(512) __half v_panel[32 * 32];
  for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) u_panel[swirl(i / 32, i % 32)] = u[i];
  for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x) v_panel[swirl(i / 32, i % 32)] = v[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  float s[16];
  for (int i = 0; i < 16; ++i) s[i] = 3.0f;  // The product is added to 3.
  unsigned u_at = static_cast<unsigned>(__cvta_generic_to_shared(u_panel));
  unsigned v_at = static_cast<unsigned>(__cvta_generic_to_shared(v_panel));
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int step = 0; step < 2; ++step) {
    unsigned long long ud = 2ull << 62 | 32ull << 32 | (u_at + step * 32) >> 4;
    unsigned long long vd = 2ull << 62 | 32ull << 32 | (v_at + step * 32) >> 4;
    asm volatile(
        "{ .reg .pred add; setp.eq.b32 add, 1, 1;\n"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, "
        "%9, %10, %11, %12, %13, %14, %15}, %16, %17, add, 1, 1, 0, 0; }"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]),
          "+f"(s[7]), "+f"(s[8]), "+f"(s[9]), "+f"(s[10]), "+f"(s[11]), "+f"(s[12]), "+f"(s[13]),
          "+f"(s[14]), "+f"(s[15])
        : "l"(ud), "l"(vd));
  }
  asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");

  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    int m = warp * 16 + lane / 4 + (i & 2) * 4, n = i / 4 * 8 + lane % 4 * 2 + (i & 1);
    float want = 3.0f;
    for (int k = 0; k < 32; ++k) want += __half2float(u[m * 32 + k]) * __half2float(v[n * 32 + k]);
    if (want != s[i]) __trap();
    out[m * 32 + n] = s[i];
  }
}
