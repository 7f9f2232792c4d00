// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// All 64 threads arrive (release) and wait for phase 0 (acquire) before they read what the other
// warp wrote.
__global__ void k(int* out) {
  __shared__ alignas(8) unsigned long long bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b) : "memory");
  __syncthreads();
  s[t] = t;
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
  int done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(b), "l"(state)
        : "memory");
  out[t] = s[63 - t];
}
