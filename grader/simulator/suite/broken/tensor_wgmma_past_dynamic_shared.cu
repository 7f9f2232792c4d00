// check: --kernel tight --grid 1 --block 128 --shared 2304 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,16]=unwritten
// expect: out-of-bounds -- the block has 2,048 bytes for A and 256 for B, 8 columns, but the
//         product is the one of 16 columns and reads 512 bytes of B
// line: 20, 21, 22, 23, 24, 25, 26
#include <cuda_fp16.h>

extern __shared__ __align__(256) uint4 memory[];

extern "C" __global__ void tight(const __half* a, const __half* b, float* c) {
  const int i = threadIdx.x;
  memory[i ^ (i / 8 & 1)] = reinterpret_cast<const uint4*>(a)[i];
  if (i < 16) memory[128 + (i ^ i / 8)] = reinterpret_cast<const uint4*>(b)[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long da = __cvta_generic_to_shared(memory) >> 4 | 16ull << 32 | 3ull << 62;
  const unsigned long long db = da + 128;
  float s[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "%8, %9, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]),
        "+f"(s[7])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int m = i / 32 * 16 + i % 32 / 4;
  for (int e = 0; e < 8; ++e) c[(m + e % 4 / 2 * 8) * 16 + e / 4 * 8 + i % 4 * 2 + e % 2] = s[e];
}
