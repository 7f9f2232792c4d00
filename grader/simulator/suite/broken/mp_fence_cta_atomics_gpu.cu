// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the flag's atomics have gpu scope, but the fences of both sides only cta scope,
//         so the patterns are not morally strong
// line: 18
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 7;
    FENCE("acq_rel.cta");
    ST("relaxed.gpu", flag, 1);
  } else {
    int f;
    LD("relaxed.gpu", f, flag);
    FENCE("acq_rel.cta");
    if (f == 1) *out = *data;
  }
}
