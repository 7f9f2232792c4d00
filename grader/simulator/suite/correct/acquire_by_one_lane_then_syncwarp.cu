// check: --kernel k --grid 2 --block 32 --arg int32[32]=zeros --arg int32[1]=zeros
//        --arg int32[32]=zeros
// Lane 0 acquires, __syncwarp() orders its acquire before the other lanes' reads.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ int seen;
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncwarp();
    if (t == 0) ST("release.gpu", flag, 1);
  } else {
    int f;
    if (t == 0) {
      LD("acquire.gpu", f, flag);
      seen = f;
    }
    __syncwarp();
    if (seen) out[t] = data[31 - t];
  }
}
