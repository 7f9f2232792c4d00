// check: --kernel FoldBlock --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: divergent-barrier -- half of the block goes past the barrier to the next one
// line: 12, 15
// Folds the upper half of the block on the lower and subtracts the result.
__global__ void FoldBlock(const float* x, float* out) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  cache[tid] = x[i];
  if (tid < 32) {
    __syncthreads();
    cache[tid] += cache[tid + 32];
  }
  __syncthreads();
  out[i] = x[i] - cache[tid % 32];
}
