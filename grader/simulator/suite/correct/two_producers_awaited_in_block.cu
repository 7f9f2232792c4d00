// check: --kernel k --grid 1 --block 96 --arg int32[1]=zeros
// The consumer waits for both arrivals.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
__global__ void k(int* out) {
  __shared__ int data[2], count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  const int w = threadIdx.x / 32;
  if (w < 2) {
    data[w] = 1;
    __threadfence_block();
    atomicAdd(&count, 1);
  } else {
    int f;
    do {
      LD("acquire.cta", f, &count);
    } while (f < 2);
    *out = data[0] + data[1];
  }
}
