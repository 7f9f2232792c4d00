// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- release with cta scope does not include the thread of the other block, so it is
//         not morally strong with the acquire: no synchronization
// line: 15, 16
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    ST("release.cta", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) *out = *data;
  }
}
