// check: --kernel Squares --grid 4 --block 32 --arg int32[128]=unwritten
// expect: clean
// One thread of a block allocates an array with new, all fill it, one thread deletes it.
__global__ void Squares(int* out) {
  __shared__ int* squares;
  if (threadIdx.x == 0) squares = new int[blockDim.x];
  __syncthreads();
  squares[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = squares[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) delete[] squares;
}
