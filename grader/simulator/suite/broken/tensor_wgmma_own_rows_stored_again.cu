// check: --kernel k --grid 1 --block 128 --arg float32[128,64]=unwritten
// expect: unfinished-product -- each warp stores its rows of A again before it has waited for the
//         product that reads them
#include <cuda_bf16.h>

#include <tessera/wgmma.cuh>

extern "C" __global__ void k(float* out) {
  __shared__ alignas(1024) __nv_bfloat16 A[64][64], B[2][64][64];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  for (int i = t; i < 2 * 64 * 64; i += 128) (&B[0][0][0])[i] = __float2bfloat16(1.0f);
  fence_proxy_async();
  __syncthreads();
  for (int i = lane; i < 16 * 64; i += 32) (&A[16 * warp][0])[i] = __float2bfloat16(1.0f);
  fence_proxy_async();
  __syncwarp();
  float sums[64] = {};
  wgmma_fence();
  wgmma_m64n128k16(sums, wgmma_descriptor(&A[0][0], 0, 1024),
                   wgmma_descriptor(&B[0][0][0], 8192, 1024));
  wgmma_commit_group();
  for (int i = lane; i < 16 * 64; i += 32) (&A[16 * warp][0])[i] = __float2bfloat16(2.0f);
  wgmma_wait_group<0>();
#pragma unroll
  for (int i = 0; i < 64; ++i) out[t * 64 + i] = sums[i];
  out[t * 64] += __bfloat162float((&A[16 * warp][0])[lane]);
}
