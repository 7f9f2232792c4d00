// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros --arg int32[5]=zeros
//        --arg int32[5]=zeros --arg int32[4]=zeros
// Blocks are numbered by a ticket, so each waits only for one that already runs; release and
// acquire pass the sum on.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* next, int* ready, int* sum, int* out) {
  if (threadIdx.x != 0) return;
  const int b = atomicAdd(next, 1);
  if (b > 0) {
    int f;
    do {
      LD("acquire.gpu", f, ready + b);
    } while (f == 0);
  }
  const int before = sum[b];
  sum[b + 1] = before + b;
  ST("release.gpu", ready + b + 1, 1);
  out[b] = before;
}
