// check: --kernel SumFilledPart --grid 1 --block 32 --arg float32[40]=uniform
//        --arg float32[1]=unwritten --arg int32=40
// expect: clean
// Fills only part of a shared buffer and reads only that part.
__global__ void SumFilledPart(const float* x, float* total, int n) {
  __shared__ float buffer[64];
  for (int k = threadIdx.x; k < n; k += blockDim.x) buffer[k] = x[k];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += buffer[k];
    *total = sum;
  }
}
