// check: --kernel k --grid 3 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros --arg int32[1]=zeros
// Causality order is transitive: block 2 acquires y from block 1, which acquired x from block 0.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* x, int* y, int* out) {
  int f;
  if (blockIdx.x == 0) {
    *data = 5;
    ST("release.gpu", x, 1);
  } else if (blockIdx.x == 1) {
    LD("acquire.gpu", f, x);
    if (f == 1) ST("release.gpu", y, 1);
  } else {
    LD("acquire.gpu", f, y);
    if (f == 1) *out = *data;
  }
}
