// check: --kernel tall_left --grid 1 --block 128 --arg bfloat16[32,64]=integers
//        --arg bfloat16[8,32]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// A lies by columns (m fastest, 64 of them are 128 bytes), swizzled by 128 bytes; eight k are 1,024
// bytes, so that the second product begins 2,048 bytes on. B by columns without a swizzle.
extern "C" __global__ void tall_left(const __nv_bfloat16* at, const __nv_bfloat16* bt, float* out) {
  __shared__ alignas(1024) uint4 at_tile[32 * 8];
  __shared__ alignas(16) uint4 bt_tile[4 * 8];  // [k / 8][n]
  for (int i = threadIdx.x; i < 256; i += 128) {
    int k = i / 8, piece = i % 8;
    at_tile[k * 8 + (piece ^ (k & 7))] = reinterpret_cast<const uint4*>(at)[i];
  }
  if (threadIdx.x < 32) {
    int n = threadIdx.x / 4, piece = threadIdx.x % 4;
    bt_tile[piece * 8 + n] = reinterpret_cast<const uint4*>(bt)[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  } else {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();

  float z0, z1, z2, z3;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int pass = 0; pass < 2; ++pass) {
    unsigned long long left = __cvta_generic_to_shared(at_tile + pass * 128) >> 4;
    unsigned long long right = __cvta_generic_to_shared(bt_tile + pass * 16) >> 4;
    left |= 1ull << 62 | 1024ull >> 4 << 32;
    right |= 128ull >> 4 << 16 | 128ull >> 4 << 32;
    asm volatile(
        "{ .reg .pred later; setp.ne.s32 later, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, later, 1, "
        "1, 1, 0; }"
        : "+f"(z0), "+f"(z1), "+f"(z2), "+f"(z3)
        : "l"(left), "l"(right), "r"(pass)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float z[4] = {z0, z1, z2, z3};
  for (int i = 0; i < 4; ++i) {
    int m = threadIdx.x / 32 * 16 + threadIdx.x / 4 % 8 + i / 2 * 8;
    int n = threadIdx.x % 4 * 2 + i % 2;
    float sum = 0;
    for (int k = 0; k < 32; ++k) {
      sum += __bfloat162float(at[k * 64 + m]) * __bfloat162float(bt[n * 32 + k]);
    }
    if (sum != z[i]) __trap();
    out[m * 8 + n] = z[i];
  }
}
