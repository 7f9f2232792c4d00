// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the same as mp_relaxed_flag with the roles of the blocks exchanged: block 0 may
//         see the flag of block 1, nothing orders data
// line: 16
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    *data = 42;
    ST("relaxed.gpu", flag, 1);
  } else {
    int f;
    LD("relaxed.gpu", f, flag);
    if (f == 1) *out = *data;
  }
}
