// check: --kernel interleaved --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
#include <cuda_bf16.h>

// Both tiles without a swizzle: blocks of 8 rows by 16 bytes, the two halves of k one after the
// other, `left` by rows and `right` by columns (k runs fastest in both).
extern "C" __global__ void interleaved(const __nv_bfloat16* left, const __nv_bfloat16* right,
                                       float* product) {
  __shared__ alignas(128) __nv_bfloat16 left_tile[64 * 16];
  __shared__ alignas(128) __nv_bfloat16 right_tile[8 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += 128) {
    int row = i / 16, k = i % 16;
    left_tile[(k / 8) * 512 + (row / 8) * 64 + (row % 8) * 8 + k % 8] = left[i];
  }
  for (int i = threadIdx.x; i < 8 * 16; i += 128) {
    int col = i / 16, k = i % 16;
    right_tile[(k / 8) * 64 + col * 8 + k % 8] = right[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  // Bytes from one half of k to the next in bits 16 to 29, from 8 rows to the next in 32 to 45.
  unsigned long long left_at = __cvta_generic_to_shared(left_tile);
  unsigned long long right_at = __cvta_generic_to_shared(right_tile);
  unsigned long long left_desc = (left_at >> 4) | (1024ull >> 4) << 16 | (128ull >> 4) << 32;
  unsigned long long right_desc = (right_at >> 4) | (128ull >> 4) << 16 | (128ull >> 4) << 32;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
      "0;"
      : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
      : "l"(left_desc), "l"(right_desc)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
               :
               : "memory");

  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
  float sums[4] = {s0, s1, s2, s3};
  for (int i = 0; i < 4; ++i) {
    int r = row + i / 2 * 8, c = col + i % 2;
    float plain = 0;
    for (int k = 0; k < 16; ++k) {
      plain += __bfloat162float(left[r * 16 + k]) * __bfloat162float(right[c * 16 + k]);
    }
    if (plain != sums[i]) __trap();
    product[r * 8 + c] = sums[i];
  }
}
