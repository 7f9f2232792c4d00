// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros
// The spin is relaxed, one fence behind the loop makes the acquire pattern.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define FENCE(sem) asm volatile("fence." sem ";" ::: "memory")
__global__ void k(int* out) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 2;
    FENCE("acq_rel.cta");
    ST("relaxed.cta", &flag, 1);
  } else if (threadIdx.x == 32) {
    int f;
    do {
      LD("relaxed.cta", f, &flag);
    } while (f == 0);
    FENCE("acq_rel.cta");
    *out = data;
  }
}
