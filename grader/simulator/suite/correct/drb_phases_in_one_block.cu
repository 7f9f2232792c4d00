// check: --kernel k --grid 2 --block 64 --arg int32[128]=zeros --arg int32[128]=zeros
// The second phase reads only what its own block wrote, behind a barrier.
__global__ void k(int* a, int* b) {
  const int base = blockIdx.x * blockDim.x;
  a[base + threadIdx.x] = threadIdx.x;
  __syncthreads();
  b[base + threadIdx.x] = a[base + 63 - threadIdx.x];
}
