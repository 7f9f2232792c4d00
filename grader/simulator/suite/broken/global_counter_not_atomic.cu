// check: --kernel CountBlocks --grid 8 --block 32 --arg float32[256]=uniform --arg int32[1]=zeros
// expect: race -- blocks increment a global counter without an atomic
// line: 8
// Counts the blocks whose first value is at least minus one.
__global__ void CountBlocks(const float* x, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0 && x[i] >= -1.0f) {
    *count += 1;
  }
}
