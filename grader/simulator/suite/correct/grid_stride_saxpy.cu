// check: --kernel Saxpy --grid 3 --block 80 --arg float32=1.5 --arg float32[1001]=uniform
//        --arg float32[1001]=uniform --arg int32=1001
// expect: clean
// y = a * x + y over more elements than there are threads.
__global__ void Saxpy(float a, const float* x, float* y, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) {
    y[i] = a * x[i] + y[i];
  }
}
