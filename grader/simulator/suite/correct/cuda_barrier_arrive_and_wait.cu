// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// only with: nvrtc
// expect: warning -- a cuda::barrier of the block, initialised before a __syncthreads()
#include <cuda/barrier>
__global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    s[t] = t * i;
    bar.arrive_and_wait();
    out[t] += s[63 - t];
    bar.arrive_and_wait();
  }
}
