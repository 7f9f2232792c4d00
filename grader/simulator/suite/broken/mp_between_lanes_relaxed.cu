// check: --kernel k --grid 1 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- being in one warp orders nothing: the relaxed flag does not synchronize the two
//         lanes
// line: 15
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x == 3) {
    *data = 42;
    ST("relaxed.cta", flag, 1);
  } else if (threadIdx.x == 9) {
    int f;
    LD("relaxed.cta", f, flag);
    if (f == 1) *out = *data;
  }
}
