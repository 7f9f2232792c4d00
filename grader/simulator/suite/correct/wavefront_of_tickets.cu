// check: --kernel k --grid 6 --block 32 --arg int32[1]=zeros --arg int32[7]=zeros
//        --arg int32[224]=zeros
// Row b (by ticket) waits until row b - 1 is complete: a barrier before the release, one after
// the acquire.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* next, int* ready, int* m) {
  __shared__ int row;
  const int t = threadIdx.x;
  if (t == 0) {
    const int r = atomicAdd(next, 1);
    int f = r == 0;
    while (!f) LD("acquire.gpu", f, ready + r);
    row = r;
  }
  __syncthreads();
  const int r = row;
  const int left = t > 0 ? m[r * 32 + t - 1] : 0;
  m[(r + 1) * 32 + t] = m[r * 32 + t] + left + 1;
  __syncthreads();
  if (t == 0) ST("release.gpu", ready + r + 1, 1);
}
