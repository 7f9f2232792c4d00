// check: --kernel OddBlockSums --grid 5 --block 100 --arg float32[500]=uniform
//        --arg float32[5]=unwritten
// expect: clean
// Block sum for a block size that is no power of two: the upper part folds onto the lower.
__global__ void OddBlockSums(const float* x, float* sums) {
  __shared__ float cache[100];
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  int active = blockDim.x;
  while (active > 1) {
    const int half = (active + 1) / 2;
    if (tid < active / 2) cache[tid] += cache[tid + half];
    __syncthreads();
    active = half;
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
