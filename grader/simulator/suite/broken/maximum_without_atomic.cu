// check: --kernel LargestValue --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[1]=zeros
// expect: race -- comparing and storing the maximum are two separate plain accesses
// line: 8, 9
// Largest value of an array.
__global__ void LargestValue(const float* x, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] > *largest) {
    *largest = x[i];
  }
}
