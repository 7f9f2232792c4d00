// check: --kernel k --grid 1 --block 64 --arg int32[32]=zeros
// Warp 0 arrives at barrier 1 after filling, warp 1 waits there; barrier 2 gives the buffer
// back.
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    if (t < 32) {
      if (i > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      s[t] = i * 100 + t;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[t - 32] += s[63 - t];
      if (i < 2) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
