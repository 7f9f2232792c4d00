// check: --kernel left_running --grid 1 --block 128 --shared 24576 --arg bfloat16[64,64]=integers
//        --arg bfloat16[8192]=integers --arg float32[64,128]=unwritten
// expect: unfinished-product -- wgmma_wait_group<1>() leaves the only group running, and the sums
//         are then doubled and stored
// line: 26, 27
#include <tessera/wgmma.cuh>

extern "C" __global__ void left_running(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  extern __shared__ __align__(1024) __nv_bfloat16 panel[];
  uint4* pieces = reinterpret_cast<uint4*>(panel);
  for (int i = threadIdx.x; i < 512; i += 128) {
    pieces[i ^ (i / 8 & 7)] = reinterpret_cast<const uint4*>(a)[i];
  }
  for (int i = threadIdx.x; i < 1024; i += 128) {
    pieces[512 + i] = reinterpret_cast<const uint4*>(b)[i];
  }
  fence_proxy_async();
  __syncthreads();
  float d[64] = {};
  wgmma_fence();
  wgmma_m64n128k16(d, wgmma_descriptor(panel, 0, 1024), wgmma_descriptor(panel + 4096, 8192, 1024));
  wgmma_commit_group();
  wgmma_wait_group<1>();
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    c[(threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i % 4 / 2 * 8) * 128 + i / 4 * 8 +
      threadIdx.x % 4 * 2 + i % 2] = 2 * d[i];
  }
  wgmma_wait_group<0>();
}
