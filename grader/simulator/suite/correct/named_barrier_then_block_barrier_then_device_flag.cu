// check: --kernel k --grid 2 --block 96 --arg int32[64]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// Barriers of either kind order the writes before the release.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  int f;
  if (blockIdx.x == 0) {
    if (t < 64) {
      data[t] = t;
      asm volatile("bar.sync 1, 64;" ::: "memory");
      data[t] += data[t ^ 1] * 0;
    }
    __syncthreads();
    if (t == 64) ST("release.gpu", flag, 1);
  } else if (t < 64) {
    LD("acquire.gpu", f, flag);
    if (f == 1) out[t] = data[63 - t];
  }
}
