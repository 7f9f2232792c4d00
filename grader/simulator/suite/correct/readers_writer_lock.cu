// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[4]=zeros
// Readers count themselves in, the writer takes the lock only from 0; all with acquire or
// release.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ADD(sem, r, p, v) \
  asm volatile("atom." sem ".add.s32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory")
#define CAS(sem, r, p, c, v)                            \
  asm volatile("atom." sem ".cas.b32 %0, [%1], %2, %3;" \
               : "=r"(r)                                \
               : "l"(p), "r"(c), "r"(v)                 \
               : "memory")
__global__ void k(int* lock, int* data, int* out) {
  int old;
  if (blockIdx.x == 1) {
    do {
      CAS("acquire.gpu", old, lock, 0, -1);
    } while (old != 0);
    *data = 6;
    ADD("release.gpu", old, lock, 1);
  } else {
    while (true) {
      LD("relaxed.gpu", old, lock);
      if (old < 0) continue;
      int was;
      CAS("acquire.gpu", was, lock, old, old + 1);
      if (was == old) break;
    }
    out[blockIdx.x] = *data;
    ADD("release.gpu", old, lock, -1);
  }
}
