// check: --kernel BlockSums --grid 2 --block 128 --arg float32[256]=uniform
//        --arg float32[2]=unwritten
// expect: race -- the barrier in the reduction loop is missing
// line: 12
// Sum of each block's slice by a tree in shared memory.
__global__ void BlockSums(const float* x, float* sums) {
  __shared__ float cache[128];
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
