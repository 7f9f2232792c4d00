// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Fence.release before the store, fence.acquire after the load (PTX 8.6).
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 1;
    FENCE("release.gpu");
    ST("relaxed.gpu", flag, 1);
  } else {
    int f;
    LD("relaxed.gpu", f, flag);
    FENCE("acquire.gpu");
    if (f == 1) *out = *data;
  }
}
