// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
// Both threads are in one block, so cta scope includes both, and shared memory needs no more.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* flag, int* out) {
  __shared__ int data;
  if (threadIdx.x == 0) {
    data = 42;
    ST("release.cta", flag, 1);
  } else if (threadIdx.x == 32) {
    int f;
    do {
      LD("acquire.cta", f, flag);
    } while (f == 0);
    *out = data;
  }
}
