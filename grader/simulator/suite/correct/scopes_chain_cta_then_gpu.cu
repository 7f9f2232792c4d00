// check: --kernel k --grid 2 --block 64 --arg int32[1]=zeros --arg int32[2]=zeros
//        --arg int32[1]=zeros
// Release.cta to a warp of the same block, which acquires and releases on with gpu scope:
// causality is transitive across scopes.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  int f;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 8;
    ST("release.cta", flag, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    LD("acquire.cta", f, flag);
    if (f == 1) ST("release.gpu", flag + 1, 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    LD("acquire.gpu", f, flag + 1);
    if (f == 1) *out = *data;
  }
}
