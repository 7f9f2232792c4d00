// check: --kernel k --grid 2 --block 64 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Warp 1 hands data to warp 0 with fences of block scope (enough inside of a block), and warp 0
// hands it to block 1 with fences of device scope: causality order is transitive.
__global__ void k(int* data, int* flag, int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 32) {
    *data = 8;
    __threadfence_block();
    ready = 1;
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    if (atomicAdd(flag, 0) == 1) {
      __threadfence();
      *out = *data;
    }
  }
}
