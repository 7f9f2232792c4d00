// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[32]=zeros
// The producer warp waits for the empty barrier (parity of the phase before), the consumer warp
// for the full one.
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
  const unsigned full = (unsigned)__cvta_generic_to_shared(bar), empty = full + 8;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(full) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(empty) : "memory");
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (t < 32) {
      if (i > 0) WAIT(empty, (i - 1) & 1);
      s[t] = in[t] + i;
      ARRIVE(full);
    } else {
      WAIT(full, i & 1);
      sum += s[63 - t];
      ARRIVE(empty);
    }
  }
  if (t >= 32) out[t - 32] = sum;
}
