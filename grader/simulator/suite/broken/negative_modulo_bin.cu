// check: --kernel Histogram --grid 8 --block 128 --arg float32[1024]=uniform --arg int32[8]=zeros
// expect: out-of-bounds -- the remainder of a negative number is negative
// line: 9
// Counts values by the remainder of their hundredths.
__global__ void Histogram(const float* x, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int hundredths = static_cast<int>(x[i] * 100.0f);
  const int bin = hundredths % 8;
  atomicAdd(&bins[bin], 1);
}
