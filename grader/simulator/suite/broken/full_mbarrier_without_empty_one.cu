// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[32]=zeros
// expect: race -- the producer never waits until the consumer has read
// line: 31
#define WAIT(b, parity)                                                                          \
  do {                                                                                           \
    int ok = 0;                                                                                  \
    while (!ok)                                                                                  \
      asm volatile(                                                                              \
          "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, " \
          "p; }"                                                                                 \
          : "=r"(ok)                                                                             \
          : "r"(b), "r"(parity)                                                                  \
          : "memory");                                                                           \
  } while (0)
#define ARRIVE(b) \
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(b) : "memory")
__global__ void k(const int* in, int* out) {
  __shared__ alignas(8) unsigned long long bar[2];
  __shared__ int s[32];
  const int t = threadIdx.x;
  const unsigned b = (unsigned)__cvta_generic_to_shared(bar);
  if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(b + 8 * t) : "memory");
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    if (t < 32) {
      s[t] = in[t] + i;
      ARRIVE(b + 8 * i);
    } else {
      WAIT(b + 8 * i, 0);
      sum += s[63 - t];
    }
  }
  if (t >= 32) out[t - 32] = sum;
}
