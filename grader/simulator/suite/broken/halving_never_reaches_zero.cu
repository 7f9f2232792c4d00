// check: --kernel BlockSum --grid 1 --block 32 --arg float32[32]=uniform --arg float32[1]=unwritten
//        --arg int32=32
// expect: step-limit -- rounding up keeps the stride at one for ever
// line: 12, 13, 14
// Sum of a block's values by a tree.
__global__ void BlockSum(const float* x, float* sum, int n) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  cache[tid] = x[tid];
  cache[tid + 32] = 0.0f;
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride = (stride + 1) / 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) *sum = cache[0];
}
