// check: --kernel k --grid 4 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
// Each ticket is served after the release of the one before it.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* lock, int* sum) {
  const int mine = atomicAdd(lock, 1);
  int now;
  do {
    LD("acquire.gpu", now, lock + 1);
  } while (now != mine);
  *sum += mine;
  ST("release.gpu", lock + 1, mine + 1);
}
