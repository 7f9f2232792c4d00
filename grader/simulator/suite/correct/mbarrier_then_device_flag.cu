// check: --kernel k --grid 2 --block 64 --arg int32[64]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// Arrive and test_wait have release and acquire semantics of cta scope; thread 0 then releases
// with gpu scope.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ alignas(8) unsigned long long bar;
  const int t = threadIdx.x;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b) : "memory");
  __syncthreads();
  if (blockIdx.x == 0) {
    data[t] = t;
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    if (t == 0) {
      int done = 0;
      while (!done)
        asm volatile(
            "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(b), "l"(state)
            : "memory");
      ST("release.gpu", flag, 1);
    }
  } else {
    int f;
    LD("acquire.gpu", f, flag);
    if (f == 1) out[t] = data[63 - t];
  }
}
