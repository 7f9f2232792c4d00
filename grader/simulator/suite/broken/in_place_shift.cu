// check: --kernel ShiftLeft --grid 1 --block 128 --arg float32[128]=uniform --arg int32=128
// expect: race -- each thread reads an element that its neighbour overwrites
// line: 8
// Shifts an array to the left by one place.
__global__ void ShiftLeft(float* x, int n) {
  const int i = threadIdx.x;
  if (i < n - 1) {
    x[i] = x[i + 1];
  }
}
