// check: --kernel k --grid 1 --block 96 --arg int32[96]=zeros
// expect: barrier-deadlock -- barrier 1 expects 96 threads, but only 64 reach it and the others
//         have gone to barrier 0
// line: 7
__global__ void k(int* out) {
  const int t = threadIdx.x;
  if (t < 64) asm volatile("bar.sync 1, 96;" ::: "memory");
  __syncthreads();
  out[t] = t;
}
