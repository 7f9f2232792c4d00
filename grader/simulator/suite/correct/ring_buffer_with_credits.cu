// check: --kernel k --grid 1 --block 64 --arg int32[8]=zeros
// The producer waits for a free place (acquire of the reader's counter), the consumer for a full
// one: both sides release.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* out) {
  __shared__ int ring[2], written, taken;
  if (threadIdx.x == 0) {
    written = 0;
    taken = 0;
  }
  __syncthreads();
  int c;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 8; ++i) {
      do {
        LD("acquire.cta", c, &taken);
      } while (i - c >= 2);
      ring[i % 2] = i * i;
      ST("release.cta", &written, i + 1);
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < 8; ++i) {
      do {
        LD("acquire.cta", c, &written);
      } while (c <= i);
      out[i] = ring[i % 2];
      ST("release.cta", &taken, i + 1);
    }
  }
}
