// check: --kernel HeatSteps --grid 4 --block 32 --arg float32[128]=uniform --arg float32[128]=zeros
//        --arg int32=3
// expect: race -- __syncthreads does not wait for the other blocks between two steps
// line: 12, 13, 14
// Several heat steps over all blocks in one launch.
__global__ void HeatSteps(float* a, float* b, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int last = gridDim.x * blockDim.x - 1;
  float* source = a;
  float* target = b;
  for (int s = 0; s < steps; ++s) {
    const float left = source[max(i - 1, 0)];
    const float right = source[min(i + 1, last)];
    target[i] = 0.5f * source[i] + 0.25f * (left + right);
    __syncthreads();
    float* swapped = source;
    source = target;
    target = swapped;
  }
}
