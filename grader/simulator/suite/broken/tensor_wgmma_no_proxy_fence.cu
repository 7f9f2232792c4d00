// check: --kernel plain_stores --grid 1 --block 128 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- the tiles are stored by the generic proxy and read by the async proxy,
//         with a barrier but no fence.proxy.async between
// line: 16, 17, 18, 19, 20, 21
#include <cuda_fp16.h>

extern "C" __global__ void plain_stores(const __half* a, const __half* b, float* c) {
  __shared__ alignas(128) __half left[2][64][8];
  __shared__ alignas(128) __half right[2][8][8];
  for (int i = threadIdx.x; i < 1024; i += 128) left[i / 8 % 2][i / 16][i % 8] = a[i];
  right[threadIdx.x / 8 % 2][threadIdx.x / 16][threadIdx.x % 8] = b[threadIdx.x];
  __syncthreads();
  float v[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
      : "l"(__cvta_generic_to_shared(left) >> 4 | 64ull << 16 | 8ull << 32),
        "l"(__cvta_generic_to_shared(right) >> 4 | 8ull << 16 | 8ull << 32)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, n = threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i) c[(m + i / 2 * 8) * 8 + n + i % 2] = v[i];
}
