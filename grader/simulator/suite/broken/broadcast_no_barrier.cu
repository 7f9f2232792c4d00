// check: --kernel SubtractFirst --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// expect: race -- no barrier between thread 0's write and the reads of all threads
// line: 9, 10
// Subtracts the first value of the block from all.
__global__ void SubtractFirst(const float* x, float* out) {
  __shared__ float first;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) first = x[i];
  out[i] = x[i] - first;
}
