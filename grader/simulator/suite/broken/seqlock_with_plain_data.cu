// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[2]=zeros
//        --arg int32[2]=zeros
// expect: race -- the reader reads the data by plain loads while the writer may write it; that it
//         drops the values later does not help
// line: 19
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* seq, int* data, int* out) {
  int a, b, x, y;
  if (blockIdx.x == 0) {
    ST("relaxed.gpu", seq, 1);
    FENCE("acq_rel.gpu");
    data[0] = 10;
    data[1] = 20;
    ST("release.gpu", seq, 2);
  } else {
    LD("acquire.gpu", a, seq);
    x = data[0];
    y = data[1];
    FENCE("acq_rel.gpu");
    LD("relaxed.gpu", b, seq);
    out[0] = x;
    out[1] = y;
    if (a != b) out[0] = -1;
  }
}
