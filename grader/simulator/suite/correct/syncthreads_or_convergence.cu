// check: --kernel SpreadUntilQuiet --grid 2 --block 64 --arg float32[128]=uniform
//        --arg int32[2]=unwritten
// expect: clean
// Averages neighbours until no value of the block is large; the loop is uniform by the or-barrier.
__global__ void SpreadUntilQuiet(const float* x, int* rounds) {
  __shared__ float values[64];
  const int tid = threadIdx.x;
  values[tid] = x[blockIdx.x * 64 + tid];
  int round = 0;
  while (__syncthreads_or(fabsf(values[tid]) > 0.05f) && round < 30) {
    const float mean = 0.45f * (values[tid] + values[(tid + 1) % 64]);
    __syncthreads();
    values[tid] = mean;
    ++round;
  }
  if (tid == 0) rounds[blockIdx.x] = round;
}
