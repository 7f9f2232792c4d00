// check: --kernel k --grid 2 --block 128 --arg int32[2]=zeros
// The lock lies in shared memory and only threads of the block take it, so block scope is
// enough.
__global__ void k(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) {
    lock = 0;
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    sum += threadIdx.x;
    __threadfence_block();
    atomicExch_block(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
