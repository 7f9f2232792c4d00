// check: --kernel k --grid 2 --block 64 --arg int32[64]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// The barrier orders all writes before thread 0's release, and thread 0's acquire before all
// reads.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ int seen;
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) ST("release.gpu", flag, 1);
  } else {
    if (t == 0) {
      int f;
      LD("acquire.gpu", f, flag);
      seen = f;
    }
    __syncthreads();
    if (seen) out[t] = data[63 - t];
  }
}
