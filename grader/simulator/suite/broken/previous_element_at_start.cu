// check: --kernel Differences --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- thread 0 reads the element at index -1
// line: 9
// Differences of neighbouring values.
__global__ void Differences(const float* x, float* differences) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float here = x[i];
  const float previous = x[i - 1];
  differences[i] = here - previous;
}
