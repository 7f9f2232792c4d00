// check: --kernel unfenced --grid 1 --block 32,4 --arg float16[64,16]=integers
//        --arg float16[8,16]=integers --arg float32[64,8]=unwritten
// expect: missing-fence -- no wgmma.fence before the first product, although its sums have just
//         been set to 1
// line: 20, 21, 22, 23, 24, 25
#include <cuda_fp16.h>

extern "C" __global__ void unfenced(const __half* in, const __half* kernel_row, float* out) {
  __shared__ alignas(256) __half in_tile[64 * 16];
  __shared__ alignas(256) __half row_tile[8 * 16];
  const int id = threadIdx.y * 32 + threadIdx.x;
  for (int i = id; i < 1024; i += 128) in_tile[i ^ (i / 64 % 2 * 8)] = in[i];
  row_tile[id ^ (id / 64 * 8)] = kernel_row[id];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long kind = 3ull << 62 | 256ull / 16 << 32;
  const unsigned long long d0 = __cvta_generic_to_shared(in_tile) / 16 | kind;
  const unsigned long long d1 = __cvta_generic_to_shared(row_tile) / 16 | kind;
  float w = 1, x = 1, y = 1, z = 1;
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(w), "+f"(x), "+f"(y), "+f"(z)
      : "l"(d0), "l"(d1)
      : "memory");

  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  float* corner = out + (threadIdx.y * 16 + threadIdx.x / 4) * 8 + threadIdx.x % 4 * 2;
  corner[0] = w;
  corner[1] = x;
  corner[64] = y;
  corner[65] = z;
}
