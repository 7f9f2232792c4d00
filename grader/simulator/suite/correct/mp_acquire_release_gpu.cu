// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// St.release.gpu of the flag synchronizes with ld.acquire.gpu that reads it, so the read of data
// follows its write in causality order.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    ST("release.gpu", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) *out = *data;
  }
}
