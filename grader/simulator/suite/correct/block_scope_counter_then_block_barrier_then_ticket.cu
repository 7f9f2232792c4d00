// check: --kernel k --grid 4 --block 64 --arg int32[256]=zeros --arg uint32[1]=zeros
//        --arg int32[1]=zeros
// Entries are placed by a counter of block scope, a barrier ends the block's work, thread 0
// fences and draws the ticket.
__global__ void k(int* list, unsigned* ticket, int* out) {
  __shared__ int count, last;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  list[blockIdx.x * 64 + atomicAdd_block(&count, 1)] = t;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    int sum = 0;
    for (int i = t; i < 256; i += 64) sum += list[i];
    atomicAdd(out, sum);
  }
}
