// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// With fence.sc between their loads the two readers agree on the order of the stores, so at most
// one writes data.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* x, int* y, int* data) {
  int a, b;
  if (blockIdx.x == 0) ST("relaxed.gpu", x, 1);
  if (blockIdx.x == 1) ST("relaxed.gpu", y, 1);
  if (blockIdx.x == 2) {
    LD("relaxed.gpu", a, x);
    FENCE("sc.gpu");
    LD("relaxed.gpu", b, y);
    if (a == 1 && b == 0) *data = 2;
  }
  if (blockIdx.x == 3) {
    LD("relaxed.gpu", a, y);
    FENCE("sc.gpu");
    LD("relaxed.gpu", b, x);
    if (a == 1 && b == 0) *data = 3;
  }
}
