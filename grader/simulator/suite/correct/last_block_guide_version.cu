// check: --kernel SumByGuide --grid 5 --block 64 --arg float32[320]=uniform
//        --arg float32[5]=unwritten --arg float32[1]=unwritten
// expect: clean
// Sum in one launch after the programming guide: volatile partial sums, fence, ticket.
__device__ unsigned finished;

__global__ void SumByGuide(const float* x, volatile float* partial, float* total) {
  __shared__ float block_sum;
  __shared__ bool is_last;
  if (threadIdx.x == 0) block_sum = 0.0f;
  __syncthreads();
  atomicAdd(&block_sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum;
    __threadfence();
    const unsigned ticket = atomicInc(&finished, gridDim.x);
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *total = sum;
  }
}
