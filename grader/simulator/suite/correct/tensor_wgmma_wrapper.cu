// check: --kernel wide --grid 1 --block 128 --shared 24576 --arg bfloat16[64,64]=integers
//        --arg bfloat16[64,128]=integers --arg float32[64,128]=unwritten
#include <tessera/wgmma.cuh>

// With the functions of tessera/wgmma.cuh: A by rows of 64 k, B by rows of n in two panels of 64.
extern "C" __global__ void wide(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  extern __shared__ __align__(1024) __nv_bfloat16 space[];
  __nv_bfloat16* panels = space + 64 * 64;
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    int m = i / 64, k = i % 64;
    space[m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8] = a[i];
  }
  for (int i = threadIdx.x; i < 64 * 128; i += 128) {
    int k = i / 128, n = i % 128;
    panels[n / 64 * 4096 + k * 64 + ((n % 64 / 8) ^ (k % 8)) * 8 + n % 8] = b[i];
  }
  fence_proxy_async();
  __syncthreads();
  float d[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) d[i] = 0;
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    wgmma_m64n128k16(d, wgmma_descriptor(space + k * 16, 0, 1024),
                     wgmma_descriptor(panels + k * 16 * 64, 8192, 1024));
  }
  wgmma_commit_group();
  wgmma_wait_group<0>();
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    int m = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i % 4 / 2 * 8;
    int n = i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
      s += __bfloat162float(a[m * 64 + k]) * __bfloat162float(b[k * 128 + n]);
    }
    if (s != d[i]) __trap();
    c[m * 128 + n] = d[i];
  }
}
