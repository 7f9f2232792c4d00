// check: --kernel RowMinima --grid 12 --block 1 --arg float32[12,20]=uniform
//        --arg float32[12]=unwritten
// expect: clean
// One thread for each row; the barrier of a block of one thread waits for no other thread.
constexpr int kCols = 20;

__global__ void RowMinima(const float* matrix, float* minima) {
  __shared__ float smallest;
  const float* row = matrix + blockIdx.x * kCols;
  if (threadIdx.x == 0) smallest = row[0];
  __syncthreads();
  for (int c = 1; c < kCols; ++c) smallest = fminf(smallest, row[c]);
  __syncthreads();
  minima[blockIdx.x] = smallest;
}
