// check: --kernel k --grid 1 --block 96 --arg int32[1]=zeros --arg int32[1]=zeros
// Release and acquire of cta scope, twice.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* out) {
  __shared__ int a, b;
  const int t = threadIdx.x;
  int f;
  if (t == 0) {
    a = 0;
    b = 0;
  }
  __syncthreads();
  if (t == 0) {
    *data = 4;
    ST("release.cta", &a, 1);
  } else if (t == 32) {
    do {
      LD("acquire.cta", f, &a);
    } while (f == 0);
    ST("release.cta", &b, 1);
  } else if (t == 64) {
    do {
      LD("acquire.cta", f, &b);
    } while (f == 0);
    *out = *data;
  }
}
