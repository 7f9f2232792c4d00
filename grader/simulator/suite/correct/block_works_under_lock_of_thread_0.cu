// check: --kernel k --grid 4 --block 64 --arg int32[1]=zeros --arg int32[64]=zeros
// Thread 0 takes the lock, a barrier lets the block in, another one ends the work before thread
// 0 gives the lock back.
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define CAS(sem, r, p, c, v)                            \
  asm volatile("atom." sem ".cas.b32 %0, [%1], %2, %3;" \
               : "=r"(r)                                \
               : "l"(p), "r"(c), "r"(v)                 \
               : "memory")
__global__ void k(int* lock, int* data) {
  const int t = threadIdx.x;
  if (t == 0) {
    int old;
    do {
      CAS("acquire.gpu", old, lock, 0, 1);
    } while (old != 0);
  }
  __syncthreads();
  data[63 - t] += blockIdx.x;
  __syncthreads();
  if (t == 0) ST("release.gpu", lock, 0);
}
