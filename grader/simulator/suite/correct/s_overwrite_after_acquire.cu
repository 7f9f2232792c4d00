// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// Both blocks write data, but the second writes only after acquiring the first's release.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag) {
  if (blockIdx.x == 0) {
    *data = 2;
    ST("release.gpu", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f) *data = 1;
  }
}
