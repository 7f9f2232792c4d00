// check: --kernel k --grid 2 --block 1 --arg int32[2]=zeros --arg int32[2]=zeros
//        --arg int32[1]=zeros
// expect: race -- the consumer acquires flag 1, but data 0 was stored after flag 1 was released
//         (only flag 0 covers it)
// line: 17
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[1] = 2;
    ST("release.gpu", flag + 1, 1);
    data[0] = 1;
    ST("release.gpu", flag + 0, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag + 1);
    if (f == 1) *out = data[0] + data[1];
  }
}
