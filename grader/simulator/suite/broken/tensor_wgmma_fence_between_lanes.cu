// check: --kernel k --grid 1 --block 32 --arg int32[32]=unwritten --arg int32=0
// expect: race -- all lanes read the word that lane 0 stores; a proxy fence stands between, and no
//         __syncwarp()
#include <cuda_bf16.h>

#include <tessera/wgmma.cuh>

extern "C" __global__ void k(int* out, int multiplies) {
  __shared__ int stored[32];
  const int t = threadIdx.x;
  stored[t] = t * 7;
  __syncthreads();
  if (multiplies) wgmma_fence();
  const int before = stored[3];
  fence_proxy_async();
  if (t == 0) stored[3] = 100;
  __syncthreads();
  out[t] = before + stored[3];
}
