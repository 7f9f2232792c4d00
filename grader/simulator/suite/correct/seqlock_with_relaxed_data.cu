// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[2]=zeros
//        --arg int32[2]=zeros
// Data is accessed by relaxed (strong) operations, and fences order them with the sequence
// number.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* seq, int* data, int* out) {
  int a, b, x, y;
  if (blockIdx.x == 0) {
    ST("relaxed.gpu", seq, 1);
    FENCE("acq_rel.gpu");
    ST("relaxed.gpu", data, 10);
    ST("relaxed.gpu", data + 1, 20);
    ST("release.gpu", seq, 2);
  } else {
    LD("acquire.gpu", a, seq);
    LD("relaxed.gpu", x, data);
    LD("relaxed.gpu", y, data + 1);
    FENCE("acq_rel.gpu");
    LD("relaxed.gpu", b, seq);
    if (a == b && a % 2 == 0) {
      out[0] = x;
      out[1] = y;
    }
  }
}
