// check: --kernel wrong_space --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- the fence between the proxies is the one for global memory, but the
//         tiles lie in shared memory
// line: 21, 22, 23, 24, 25
#include <cuda_fp16.h>

extern "C" __global__ void wrong_space(const __half* a, const __half* b, float* c) {
  __shared__ alignas(256) uint4 block_a[128];
  __shared__ alignas(256) uint4 block_b[16];
  const unsigned k = threadIdx.x;
  block_a[k ^ (k / 8 & 1)] = reinterpret_cast<const uint4*>(a)[k];
  if (k < 16) block_b[k ^ k / 8] = reinterpret_cast<const uint4*>(b)[k];
  asm volatile("fence.proxy.async.global;" ::: "memory");
  __syncthreads();
  const unsigned long long top = 16ull << 32 | 3ull << 62;
  const unsigned long long da = top + (__cvta_generic_to_shared(block_a) >> 4);
  const unsigned long long db = top + (__cvta_generic_to_shared(block_b) >> 4);
  float y[4];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
      : "=f"(y[0]), "=f"(y[1]), "=f"(y[2]), "=f"(y[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[k / 32 * 128 + k % 32 * 2 + i / 2 * 64 + i % 2] = y[i];
}
