// check: --kernel k --grid 2 --block 1 --arg int32[2]=zeros --arg int32[1]=zeros
// If block 0 reads 1 from y's release, block 1's earlier load of x happened before and read 0:
// at most one writes data.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* xy, int* data) {
  const int me = blockIdx.x;
  int f;
  LD("acquire.gpu", f, xy + me);
  ST("release.gpu", xy + (1 - me), 1);
  if (f == 1) *data = me;
}
