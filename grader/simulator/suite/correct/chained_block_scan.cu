// check: --kernel ChainedScan --grid 6 --block 32 --arg int32[192]=integers
//        --arg int32[192]=unwritten --arg int32[6]=unwritten --arg int32[6]=zeros
// expect: clean
// Prefix sum over all blocks: each block waits for the running total of the block before it.
__global__ void ChainedScan(const int* x, int* prefix, int* running, int* ready) {
  const int lane = threadIdx.x;
  const int block = blockIdx.x;
  int sum = x[block * 32 + lane];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane >= offset) sum += left;
  }
  int before = 0;
  if (lane == 31) {
    if (block > 0) {
      while (atomicAdd(&ready[block - 1], 0) == 0) {
      }
      __threadfence();
      before = static_cast<volatile int*>(running)[block - 1];
    }
    running[block] = before + sum;
    __threadfence();
    atomicExch(&ready[block], 1);
  }
  __syncwarp();
  before = __shfl_sync(0xffffffffu, before, 31);
  prefix[block * 32 + lane] = before + sum;
}
