// check: --kernel k --grid 2 --block 128 --arg int32[128]=ones --arg int32[2]=zeros
// __syncthreads_or() combines the predicate of all threads.
__global__ void k(const int* in, int* out) {
  const int any = __syncthreads_or(in[threadIdx.x] > 0);
  if (threadIdx.x == 0) out[blockIdx.x] = any;
}
