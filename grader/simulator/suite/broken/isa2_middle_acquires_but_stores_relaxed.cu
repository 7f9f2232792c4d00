// check: --kernel k --grid 3 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- block 1 acquires x, but its store of y is relaxed with no fence before it:
//         nothing is released
// line: 18
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* x, int* y, int* out) {
  int f;
  if (blockIdx.x == 0) {
    *data = 5;
    ST("release.gpu", x, 1);
  } else if (blockIdx.x == 1) {
    LD("acquire.gpu", f, x);
    if (f == 1) ST("relaxed.gpu", y, 1);
  } else {
    LD("acquire.gpu", f, y);
    if (f == 1) *out = *data;
  }
}
