// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// The relaxed poll decides, and the acquire load of the same flag that follows it reads the
// released value (coherence) before data is read.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    ST("release.gpu", flag, 1);
  } else {
    int f, g;
    LD("relaxed.gpu", f, flag);
    if (f == 1) {
      LD("acquire.gpu", g, flag);
      *out = *data + g;
    }
  }
}
