// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the condition is turned round: data is read while the flag is not set
// line: 14
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 5;
    ST("release.gpu", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 0) *out = *data;
  }
}
