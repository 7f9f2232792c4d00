// check: --kernel VolatileTree --grid 2 --block 64 --arg int32[128]=integers
//        --arg int32[2]=unwritten
// expect: clean
// Tree sum in volatile shared memory, still with a barrier at every step.
__global__ void VolatileTree(const int* x, int* sums) {
  __shared__ volatile int cache[64];
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * 64 + tid];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] = cache[tid] + cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
