// check: --kernel k --grid 3 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Observation order passes through atomic read-modify-writes: reading the relaxed add's value
// still observes the release.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ADD(sem, r, p, v) \
  asm volatile("atom." sem ".add.s32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  int f;
  if (blockIdx.x == 0) {
    *data = 5;
    ST("release.gpu", flag, 1);
  } else if (blockIdx.x == 1) {
    ADD("relaxed.gpu", f, flag, 2);
  } else {
    LD("acquire.gpu", f, flag);
    if (f == 3) *out = *data;
  }
}
