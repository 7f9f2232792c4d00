// check: --kernel k --grid 4 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
//        --arg int32[4]=zeros
// The flag is read with acquire and set with release, and the table is written once, before it.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define CAS(sem, r, p, c, v)                            \
  asm volatile("atom." sem ".cas.b32 %0, [%1], %2, %3;" \
               : "=r"(r)                                \
               : "l"(p), "r"(c), "r"(v)                 \
               : "memory")
__global__ void k(int* state, int* table, int* out) {
  int ready, old;
  LD("acquire.gpu", ready, state + 1);
  if (!ready) {
    do {
      CAS("acquire.gpu", old, state, 0, 1);
    } while (old != 0);
    LD("relaxed.gpu", ready, state + 1);
    if (!ready) {
      *table = 42;
      ST("release.gpu", state + 1, 1);
    }
    ST("release.gpu", state, 0);
  }
  out[blockIdx.x] = *table;
}
