// check: --kernel HandOver --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten --arg float32[64]=unwritten --arg int32[1]=zeros
// expect: clean
// Block 0 squares the values, block 1 waits for its flag and reverses the squares.
__global__ void HandOver(const float* x, float* squares, float* reversed, int* ready) {
  const int tid = threadIdx.x;
  if (blockIdx.x == 0) {
    squares[tid] = x[tid] * x[tid];
    __syncthreads();
    if (tid == 0) {
      __threadfence();
      atomicExch(ready, 1);
    }
  } else {
    if (tid == 0) {
      while (atomicAdd(ready, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    const volatile float* published = squares;
    reversed[tid] = published[blockDim.x - 1 - tid];
  }
}
