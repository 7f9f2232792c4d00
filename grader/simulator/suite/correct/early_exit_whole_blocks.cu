// check: --kernel EvenBlocksReverse --grid 6 --block 64 --arg float32[384]=uniform
//        --arg float32[384]=zeros
// expect: clean
// Odd blocks leave at once as a whole; even blocks reverse their slice between barriers.
__global__ void EvenBlocksReverse(const float* x, float* out) {
  if (blockIdx.x % 2 == 1) return;
  __shared__ float tile[64];
  const int base = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = x[base + threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
