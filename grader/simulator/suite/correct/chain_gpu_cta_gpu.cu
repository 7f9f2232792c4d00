// check: --kernel k --grid 3 --block 64 --arg int32[1]=zeros --arg int32[3]=zeros
//        --arg int32[1]=zeros
// Block 0 to block 1 (gpu), inside of block 1 (cta), block 1 to block 2 (gpu).
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  const int b = blockIdx.x, t = threadIdx.x;
  int f;
  if (b == 0 && t == 0) {
    *data = 8;
    ST("release.gpu", flag, 1);
  } else if (b == 1 && t == 0) {
    LD("acquire.gpu", f, flag);
    if (f == 1) ST("release.cta", flag + 1, 1);
  } else if (b == 1 && t == 32) {
    LD("acquire.cta", f, flag + 1);
    if (f == 1) ST("release.gpu", flag + 2, 1);
  } else if (b == 2 && t == 0) {
    LD("acquire.gpu", f, flag + 2);
    if (f == 1) *out = *data;
  }
}
