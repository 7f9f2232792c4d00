// check: --kernel k --grid 2 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Thread 0 of block 1 acquires with gpu scope and releases to warp 1 of its block with cta
// scope.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ int seen;
  int f;
  if (threadIdx.x == 0) seen = 0;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 8;
    ST("release.gpu", flag, 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    LD("acquire.gpu", f, flag);
    ST("release.cta", &seen, f + 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 32) {
    do {
      LD("acquire.cta", f, &seen);
    } while (f == 0);
    if (f == 2) *out = *data;
  }
}
