// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// Barrier.sync without .aligned may be executed by the threads of a warp apart, and both
// branches name barrier 1 with 64 threads.
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t & 1) {
    s[t] = t;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
  } else {
    s[t] = -t;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
  }
  out[t] = s[t ^ 1];
}
