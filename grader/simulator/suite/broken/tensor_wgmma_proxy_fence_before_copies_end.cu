// check: --kernel fence_then_wait --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- fence.proxy.async stands between the copies and the wait for them; it
//         must follow the wait, when their writes are done
// line: 21, 27, 28, 29, 30, 31
#include <cuda_fp16.h>

extern "C" __global__ void fence_then_wait(const __half* a, const __half* b, float* c) {
  __shared__ alignas(1024) uint4 both[144];
  const int n = threadIdx.x;
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(both));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(base + (n ^ (n / 8 & 1)) * 16),
               "l"(a + 8 * n)
               : "memory");
  if (n < 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(base + 2048 + (n ^ n / 8) * 16),
                 "l"(b + 8 * n)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  const unsigned long long desc = base >> 4 | 16ull << 32 | 3ull << 62;
  float k[4] = {1, 1, 1, 1};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(k[0]), "+f"(k[1]), "+f"(k[2]), "+f"(k[3])
      : "l"(desc), "l"(desc + 128)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[n / 32 * 128 + n % 32 * 2 + i / 2 * 64 + i % 2] = k[i];
}
