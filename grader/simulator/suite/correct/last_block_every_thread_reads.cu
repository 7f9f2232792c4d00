// check: --kernel MaxAll --grid 16 --block 32 --arg float32[512]=uniform
//        --arg float32[16]=unwritten --arg float32[1]=unwritten --arg uint32[1]=zeros
// expect: clean
// Maximum of all warps' maxima; the lanes of the last block read the partial results together.
__device__ float WarpMax(float value) {
  for (int mask = 16; mask > 0; mask /= 2) {
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  }
  return value;
}

__global__ void MaxAll(const float* x, volatile float* partial, float* result, unsigned* done) {
  __shared__ unsigned ticket;
  const int lane = threadIdx.x;
  const float block_max = WarpMax(x[blockIdx.x * 32 + lane]);
  if (lane == 0) {
    partial[blockIdx.x] = block_max;
    __threadfence();
    ticket = atomicInc(done, gridDim.x);
    __threadfence();
  }
  __syncthreads();
  const int blocks = gridDim.x;
  if (ticket == gridDim.x - 1) {
    const float all = WarpMax(lane < blocks ? partial[lane] : -1e30f);
    if (lane == 0) *result = all;
  }
}
