// check: --kernel k --grid 2 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// Thread 0 acquires with gpu scope and arrives at an mbarrier, the others wait for it.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ alignas(8) unsigned long long bar;
  __shared__ int seen;
  const int t = threadIdx.x;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
  __syncthreads();
  int f;
  if (blockIdx.x == 0) {
    if (t == 0) {
      *data = 6;
      ST("release.gpu", flag, 1);
    }
    return;
  }
  if (t == 0) {
    LD("acquire.gpu", f, flag);
    seen = f;
    asm volatile("{ .reg .b64 q; mbarrier.arrive.shared.b64 q, [%0]; }" ::"r"(b) : "memory");
  }
  int ok = 0;
  while (!ok)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
        : "=r"(ok)
        : "r"(b)
        : "memory");
  if (seen) out[t] = *data;
}
