// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: barrier-deadlock -- the barrier expects 65 arrivals, and 64 threads arrive once each
// line: 14, 17
__global__ void k(int* out) {
  __shared__ alignas(8) unsigned long long bar;
  const int t = threadIdx.x;
  const unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 65;" ::"r"(b) : "memory");
  __syncthreads();
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
  int done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(b), "l"(state)
        : "memory");
  out[t] = t;
}
