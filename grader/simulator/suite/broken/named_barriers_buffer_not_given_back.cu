// check: --kernel k --grid 1 --block 64 --arg int32[32]=zeros
// expect: race -- each phase has its own barrier number; in the third phase the producer fills the
//         first buffer again without waiting until the consumer has read it
// line: 10
__global__ void k(int* out) {
  __shared__ int s[2][32];
  const int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    if (t < 32) {
      s[i % 2][t] = i * 100 + t;
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + i) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + i) : "memory");
      out[t - 32] += s[i % 2][63 - t];
    }
  }
}
