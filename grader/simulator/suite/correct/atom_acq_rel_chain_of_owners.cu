// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// The thread that exchanges the token from 0 owns data; acq_rel exchange and release store order
// the owners.
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define CAS(sem, r, p, c, v)                            \
  asm volatile("atom." sem ".cas.b32 %0, [%1], %2, %3;" \
               : "=r"(r)                                \
               : "l"(p), "r"(c), "r"(v)                 \
               : "memory")
__global__ void k(int* token, int* data) {
  int old;
  do {
    CAS("acquire.gpu", old, token, 0, 1);
  } while (old != 0);
  *data = *data + 1;
  ST("release.gpu", token, 0);
}
