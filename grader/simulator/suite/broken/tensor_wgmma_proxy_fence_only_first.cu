// check: --kernel fence_once --grid 1 --block 128 --shared 24576 --arg bfloat16[2,4096]=integers
//        --arg bfloat16[2,8192]=integers --arg float32[64,128]=unwritten
// expect: missing-fence -- the tiles are stored twice, but fence_proxy_async() follows only the
//         first stores
// line: 26, 27
#include <tessera/wgmma.cuh>

// The values lie in the order of the tiles already: swizzled when they were made.
extern "C" __global__ void fence_once(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  extern __shared__ __align__(1024) uint4 both[];
  const __nv_bfloat16* tile = reinterpret_cast<const __nv_bfloat16*>(both);
  float d[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) d[i] = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const uint4* from_a = reinterpret_cast<const uint4*>(a + round * 4096);
    const uint4* from_b = reinterpret_cast<const uint4*>(b + round * 8192);
    for (int i = threadIdx.x; i < 512; i += 128) both[i] = from_a[i];
    for (int i = threadIdx.x; i < 1024; i += 128) both[512 + i] = from_b[i];
    if (round == 0) fence_proxy_async();
    __syncthreads();
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      wgmma_m64n128k16(d, wgmma_descriptor(tile + k * 16, 0, 1024),
                       wgmma_descriptor(tile + 4096 + k * 1024, 8192, 1024));
    }
    wgmma_commit_group();
    wgmma_wait_group<0>();
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) c[i * 128 + threadIdx.x] = d[i];
}
