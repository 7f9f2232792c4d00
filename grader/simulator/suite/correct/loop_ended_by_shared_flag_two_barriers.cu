// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[1]=zeros
// The flag is cleared, set and read in parts that barriers separate.
__global__ void k(int* a, int* passes) {
  __shared__ int changed;
  const int t = threadIdx.x;
  int n = 0;
  do {
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    if (a[t] > 5) {
      a[t] -= 5;
      atomicOr(&changed, 1);
    }
    ++n;
    __syncthreads();
  } while (changed);
  if (t == 0) *passes = n;
}
