// check: --kernel k --grid 1 --block 256 --arg float32[128,64]=unwritten
// expect: missing-fence -- an mbarrier orders the stores before the product, but no proxy fence
// makes
//         them visible to it
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>

#include <tessera/wgmma.cuh>

extern "C" __global__ void k(float* out) {
  __shared__ alignas(1024) __nv_bfloat16 A[64][64], B[2][64][64];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&bar, 128);
  __syncthreads();
  if (t >= 128) {
    for (int i = t - 128; i < 64 * 64; i += 128) (&A[0][0])[i] = __float2bfloat16(1.0f);
    for (int i = t - 128; i < 2 * 64 * 64; i += 128) (&B[0][0][0])[i] = __float2bfloat16(1.0f);
    (void)__mbarrier_arrive(&bar);
    return;
  }
  while (!__mbarrier_test_wait_parity(&bar, false)) {
  }
  float sums[64] = {};
  wgmma_fence();
  wgmma_m64n128k16(sums, wgmma_descriptor(&A[0][0], 0, 1024),
                   wgmma_descriptor(&B[0][0][0], 8192, 1024));
  wgmma_commit_group();
  wgmma_wait_group<0>();
#pragma unroll
  for (int i = 0; i < 64; ++i) out[t * 64 + i] = sums[i];
}
