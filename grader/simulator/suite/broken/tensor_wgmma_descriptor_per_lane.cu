// check: --kernel lane_rows --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: divergent-barrier -- each thread gives the descriptor of the row that it would read with
//         ldmatrix; a product has one descriptor for each matrix
// line: 24, 25, 26, 27, 28
#include <cuda_bf16.h>

extern "C" __global__ void lane_rows(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  // Twice the rows of A, so that every descriptor stays inside.
  __shared__ alignas(256) uint4 rows_a[256];
  __shared__ alignas(256) uint4 rows_b[16];
  const int x = threadIdx.x, warp = x / 32;
  rows_a[x] = reinterpret_cast<const uint4*>(a)[x];
  rows_a[128 + x] = make_uint4(0, 0, 0, 0);
  if (x < 16) rows_b[x] = reinterpret_cast<const uint4*>(b)[x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const unsigned long long strides = 8ull << 16 | 16ull << 32;
  const unsigned long long da =
      (__cvta_generic_to_shared(rows_a + x % 16) & 0x3ffff) >> 4 | strides;
  const unsigned long long db = (__cvta_generic_to_shared(rows_b) & 0x3ffff) >> 4 | strides;
  float s[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "l"(da), "l"(db)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) c[warp * 128 + x % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
}
