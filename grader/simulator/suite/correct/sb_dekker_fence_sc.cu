// check: --kernel k --grid 2 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
// With fence.sc between the store and the load at most one of the two blocks reads 0, so at most
// one touches data.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* want, int* data) {
  const int me = blockIdx.x;
  int other;
  ST("relaxed.gpu", want + me, 1);
  FENCE("sc.gpu");
  LD("relaxed.gpu", other, want + (1 - me));
  if (other == 0) *data += 1;
}
