// check: --kernel PassParameter --grid 4 --block 32 --arg float32[128]=uniform
//        --arg float32[128]=unwritten --arg float32[1]=unwritten --arg int32[1]=zeros
// expect: clean
// Block 0 publishes a scale by a volatile flag; the first thread of every block waits for it.
__global__ void PassParameter(const float* x, float* y, volatile float* scale, volatile int* flag) {
  __shared__ float factor;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      *scale = 2.0f + x[0];
      __threadfence();
      *flag = 1;
    }
    while (*flag == 0) {
    }
    __threadfence();
    factor = *scale;
  }
  __syncthreads();
  y[i] = x[i] * factor;
}
