// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the launch has no clusters, so each block is a cluster of its own and cluster
//         scope does not include the other block
// line: 14, 15
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 1;
    ST("release.cluster", flag, 1);
  } else {
    int f;
    LD("acquire.cluster", f, flag);
    if (f == 1) *out = *data;
  }
}
