// check: --kernel pass_on --grid 2 --block 128 --arg float16[128,16]=integers
//        --arg float16[8,16]=integers --arg float16[8,16]=integers --arg float32[128,8]=unwritten
#include <cuda_fp16.h>

// The sums of one product become A of the next without shared memory, and B is stored again between
// the two: first A B, rounded to f16, then times the rows of D (8 of the 16 k are 0).
extern "C" __global__ void pass_on(const __half* a, const __half* b, const __half* d, float* out) {
  __shared__ alignas(128) __half left[2 * 8 * 64];
  __shared__ alignas(128) __half right[128];
  const __half* mine = a + blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += 128) {
    left[i / 8 % 2 * 512 + i / 16 * 8 + i % 8] = mine[i];
  }
  const int spot = threadIdx.x / 8 % 2 * 64 + threadIdx.x / 16 * 8 + threadIdx.x % 8;
  right[spot] = b[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long l = __cvta_generic_to_shared(left) >> 4 | 64ull << 16 | 8ull << 32;
  const unsigned long long r = __cvta_generic_to_shared(right) >> 4 | 8ull << 16 | 8ull << 32;
  float s[4], u[4];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
      : "l"(l), "l"(r)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncthreads();  // All four warps have waited: B may be stored over.
  right[spot] = d[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  __half2 upper = __floats2half2_rn(s[0] / 64, s[1] / 64);
  __half2 lower = __floats2half2_rn(s[2] / 64, s[3] / 64);
  const unsigned a0 = *reinterpret_cast<unsigned*>(&upper);
  const unsigned a1 = *reinterpret_cast<unsigned*>(&lower);
  asm volatile("wgmma.fence.sync.aligned;" ::"r"(a0), "r"(a1) : "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %6}, %7, "
      "0, 1, 1, 0;"
      : "=f"(u[0]), "=f"(u[1]), "=f"(u[2]), "=f"(u[3])
      : "r"(a0), "r"(a1), "r"(0), "l"(r)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 * 8;
    const int n = threadIdx.x % 4 * 2 + i % 2;
    float total = 0;
    for (int j = 0; j < 8; ++j) {
      float inner = 0;
      for (int k = 0; k < 16; ++k) {
        inner += __half2float(mine[m * 16 + k]) * __half2float(b[j * 16 + k]);
      }
      total += __half2float(__float2half(inner / 64)) * __half2float(d[n * 16 + j]);
    }
    if (fabsf(total - u[i]) > 0.01f) __trap();
    out[blockIdx.x * 512 + m * 8 + n] = u[i];
  }
}
