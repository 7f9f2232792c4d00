// check: --kernel k --grid 1 --block 96 --arg int32[96]=index --arg int32[96]=zeros
// Lane 0 waits for the producer; the other lanes of its warp are at the barrier long before.
__global__ void k(const int* x, int* y) {
  __shared__ int flag, s[32];
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t >= 64) {
    int v = x[t];
    for (int i = 0; i < 40000; ++i) v = v * v + (v >> 3) + i;
    s[t - 64] = v;
    __syncwarp();
    if (t == 64) {
      __threadfence_block();
      atomicExch(&flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&flag, 0) == 0) {
      }
      __threadfence_block();
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[t] = s[t % 32];
  }
}
