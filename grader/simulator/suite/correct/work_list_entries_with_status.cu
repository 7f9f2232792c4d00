// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[8]=zeros
//        --arg int32[8]=zeros --arg int32[4]=zeros
// Each entry has a status that is released after the entry and acquired before it is read.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* size, int* list, int* status, int* out) {
  const int b = blockIdx.x;
  const int at = atomicAdd(size, 1);
  list[at] = b;
  ST("release.gpu", status + at, 1);
  int f = 0;
  if (at > 0) LD("acquire.gpu", f, status + at - 1);
  if (f) out[b] = list[at - 1];
}
