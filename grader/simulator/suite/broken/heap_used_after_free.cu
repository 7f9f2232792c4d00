// check: --kernel Shift --grid 1 --block 32 --arg int32[32]=unwritten
// expect: out-of-bounds -- the array is freed before all threads have read it
// line: 12
// Gives each thread the number of its neighbour.
__global__ void Shift(int* out) {
  __shared__ int* numbers;
  if (threadIdx.x == 0) numbers = new int[blockDim.x];
  __syncthreads();
  numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) delete[] numbers;
  out[threadIdx.x] = numbers[(threadIdx.x + 1) % blockDim.x];
}
