// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros
// Waiting with __nanosleep() changes nothing: acquire and release order data.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* out) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = 3;
    ST("release.cta", &flag, 1);
  } else if (threadIdx.x == 0) {
    int f = 0;
    while (f == 0) {
      __nanosleep(20);
      LD("acquire.cta", f, &flag);
    }
    *out = data;
  }
}
