// check: --kernel k --grid 1 --block 64 --arg int32[64]=ones --arg int32[1]=zeros
// expect: uninitialized-read -- atomicAdd reads the sum in shared memory, which no thread has set
// line: 6
__global__ void k(const int* in, int* out) {
  __shared__ int sum;
  atomicAdd(&sum, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
