// check: --kernel k --grid 1 --block 64 --arg int32[64]=permutation
// In each step a pair is touched by one thread only, and a barrier separates the steps.
__global__ void k(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = a[t];
  for (int n = 2; n <= 64; n *= 2)
    for (int d = n / 2; d > 0; d /= 2) {
      __syncthreads();
      const int o = t ^ d;
      if (o > t) {
        const int lo = s[t], hi = s[o];
        if ((lo > hi) == ((t & n) == 0)) {
          s[t] = hi;
          s[o] = lo;
        }
      }
    }
  __syncthreads();
  a[t] = s[t];
}
