// check: --kernel k --grid 1 --block 64 --arg int32[32]=zeros
// expect: race -- lane 0 releases, but nothing orders the other lanes' writes before it
// line: 22
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* out) {
  __shared__ int data[32], flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = t * t;
    if (t == 0) ST("release.cta", &flag, 1);
  } else {
    if (t == 32) {
      int f;
      do {
        LD("acquire.cta", f, &flag);
      } while (f == 0);
    }
    __syncwarp();
    out[t - 32] = data[63 - t];
  }
}
