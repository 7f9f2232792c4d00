// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[2]=zeros
// All accesses of x are strong with gpu scope: they are morally strong, so there is no data race
// and the two reads are coherent.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* x, int* out) {
  if (blockIdx.x == 0) {
    ST("relaxed.gpu", x, 1);
    ST("relaxed.gpu", x, 2);
  } else {
    int a, b;
    LD("relaxed.gpu", a, x);
    LD("relaxed.gpu", b, x);
    out[0] = a;
    out[1] = b;
  }
}
