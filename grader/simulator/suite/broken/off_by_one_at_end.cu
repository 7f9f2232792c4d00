// check: --kernel Saxpy --grid 4 --block 64 --arg float32=2.0 --arg float32[200]=uniform
//        --arg float32[200]=uniform --arg int32=200
// expect: out-of-bounds -- the guard says i <= n instead of i < n
// line: 9
// y = a * x + y.
__global__ void Saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    y[i] = a * x[i] + y[i];
  }
}
