// check: --kernel k --grid 2 --block 32 --arg int32[2]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the second datum is stored after the release in program order, which the release
//         does not cover
// line: 17
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    ST("release.gpu", flag, 1);
    data[1] = 2;
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) *out = data[0] + data[1];
  }
}
