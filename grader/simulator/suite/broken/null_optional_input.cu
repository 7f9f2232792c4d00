// check: --kernel AddBias --grid 1 --block 32 --arg float32[32]=uniform --arg uint64=0
//        --arg int32=32
// expect: out-of-bounds -- the bias is optional, but the kernel reads it without a check
// line: 9
// Adds a bias to every value.
__global__ void AddBias(float* x, const float* bias, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += bias[i];
  }
}
