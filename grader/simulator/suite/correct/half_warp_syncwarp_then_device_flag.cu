// check: --kernel k --grid 2 --block 32 --arg int32[16]=zeros --arg int32[1]=zeros
//        --arg int32[16]=zeros
// Sixteen lanes write and meet by __syncwarp(0xffff), then lane 0 releases with gpu scope.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (t >= 16) return;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncwarp(0xffffu);
    if (t == 0) ST("release.gpu", flag, 1);
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) out[t] = data[15 - t];
  }
}
