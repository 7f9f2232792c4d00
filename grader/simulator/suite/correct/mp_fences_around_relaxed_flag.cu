// check: --kernel k --grid 2 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Fence.acq_rel.gpu followed by a strong write is a release pattern, a strong read followed by
// the fence an acquire pattern.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 7;
    FENCE("acq_rel.gpu");
    ST("relaxed.gpu", flag, 1);
  } else {
    int f;
    LD("relaxed.gpu", f, flag);
    FENCE("acq_rel.gpu");
    if (f == 1) *out = *data;
  }
}
