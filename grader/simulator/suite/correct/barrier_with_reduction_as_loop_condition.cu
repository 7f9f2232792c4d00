// check: --kernel k --grid 1 --block 64 --arg int32[64]=index --arg int32[1]=zeros
// All threads get the same number from __syncthreads_count(), so all leave the loop together.
__global__ void k(int* a, int* passes) {
  int n = 0;
  while (__syncthreads_count(a[threadIdx.x] > 3) > 0) {
    if (a[threadIdx.x] > 3) a[threadIdx.x] -= 4;
    ++n;
  }
  if (threadIdx.x == 0) *passes = n;
}
