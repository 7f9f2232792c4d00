// check: --kernel HeatSteps --grid 1 --block 100 --arg float32[100]=uniform
//        --arg float32[100]=unwritten --arg int32=6
// expect: clean
// Several heat steps in one block, from one global array to the other with a barrier between.
__global__ void HeatSteps(float* a, float* b, int steps) {
  const int i = threadIdx.x;
  const int last = blockDim.x - 1;
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
