// check: --kernel UpdateMaximum --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: uninitialized-read -- the old maximum is compared before any thread has set it
// line: 8
// Keeps the larger of the new value and the one stored before.
__global__ void UpdateMaximum(const float* x, float* maximum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] > maximum[i]) {
    maximum[i] = x[i];
  }
}
