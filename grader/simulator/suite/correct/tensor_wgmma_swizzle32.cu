// check: --kernel rows_of_32 --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[16,16]=integers --arg float32[64,16]=unwritten
#include <cuda_bf16.h>

// Rows of 32 bytes, k fastest: bit 7 of a byte's place swaps the two halves of a row.
__device__ unsigned place32(unsigned byte) {
  return byte ^ (byte >> 3 & 0x10);
}

extern "C" __global__ void rows_of_32(const __nv_bfloat16* p, const __nv_bfloat16* q, float* pq) {
  __shared__ alignas(256) unsigned char p_rows[64 * 32];
  __shared__ alignas(256) unsigned char q_cols[16 * 32];
  const int t = threadIdx.x;
  *reinterpret_cast<uint4*>(p_rows + place32(t * 16)) = reinterpret_cast<const uint4*>(p)[t];
  if (t < 32) {
    *reinterpret_cast<uint4*>(q_cols + place32(t * 16)) = reinterpret_cast<const uint4*>(q)[t];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();

  const unsigned long long form = 3ull << 62 | 256ull >> 4 << 32 | 1ull << 16;
  const unsigned long long pd = form | __cvta_generic_to_shared(p_rows) >> 4;
  const unsigned long long qd = form | __cvta_generic_to_shared(q_cols) >> 4;
  float d[8];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(  // Scale-d is false: the sums need no first value.
      "{ .reg .pred old;\n setp.ne.b32 old, 0, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, old, 1, 1, 0, 0; }"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]),
        "=f"(d[7])
      : "l"(pd), "l"(qd)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

#pragma unroll
  for (int j = 0; j < 2; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int m = t / 32 * 16 + t % 32 / 4 + i / 2 * 8, n = j * 8 + t % 4 * 2 + i % 2;
      float expected = 0;
      for (int k = 0; k < 16; ++k) {
        expected += __bfloat162float(p[m * 16 + k]) * __bfloat162float(q[n * 16 + k]);
      }
      if (expected != d[4 * j + i]) __trap();
      pq[m * 16 + n] = d[4 * j + i];
    }
  }
}
