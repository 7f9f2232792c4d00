// check: --kernel k --grid 3 --block 96 --arg int32[1]=zeros --arg int32[64]=zeros
// Two of three warps work under the lock that thread 0 takes; barrier 1 with 64 threads stands
// where __syncthreads() would.
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define CAS(sem, r, p, c, v)                            \
  asm volatile("atom." sem ".cas.b32 %0, [%1], %2, %3;" \
               : "=r"(r)                                \
               : "l"(p), "r"(c), "r"(v)                 \
               : "memory")
__global__ void k(int* lock, int* data) {
  const int t = threadIdx.x;
  if (t >= 64) return;
  if (t == 0) {
    int old;
    do {
      CAS("acquire.gpu", old, lock, 0, 1);
    } while (old != 0);
  }
  asm volatile("bar.sync 1, 64;" ::: "memory");
  data[63 - t] += blockIdx.x;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (t == 0) ST("release.gpu", lock, 0);
}
