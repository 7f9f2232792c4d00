// check: --kernel BlockSums --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[2]=unwritten
// expect: race -- no barrier between filling the cache and the first step
// line: 9, 11
// Sum of each block's slice by a tree in shared memory.
__global__ void BlockSums(const float* x, float* sums) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
