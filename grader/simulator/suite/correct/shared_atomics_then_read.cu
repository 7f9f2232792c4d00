// check: --kernel DeviationFromMean --grid 3 --block 70 --arg float32[210]=uniform
//        --arg float32[210]=unwritten
// expect: clean
// Sums a block with shared atomics; after the barrier plain reads see the total.
__global__ void DeviationFromMean(const float* x, float* deviation) {
  __shared__ float total;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  atomicAdd(&total, x[i]);
  __syncthreads();
  deviation[i] = x[i] - total / blockDim.x;
}
