// check: --kernel k --grid 2 --block 1 --arg int64[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- operations that overlap only in part are not morally strong, so the wide release
//         and the narrow acquire are a race
// line: 13
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
__global__ void k(long long* flag, int* data, int* out) {
  if (blockIdx.x == 0) {
    *data = 3;
    asm volatile("st.release.gpu.s64 [%0], %1;" ::"l"(flag), "l"(1LL) : "memory");
  } else {
    int f;
    LD("acquire.gpu", f, (int*)flag);
    if (f == 1) *out = *data;
  }
}
