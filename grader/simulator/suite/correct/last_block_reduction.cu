// check: --kernel SumAll --grid 8 --block 64 --arg float32[512]=uniform --arg float32[8]=unwritten
//        --arg float32[1]=unwritten
// expect: clean
// Sum of the whole array in one launch: the block that finishes last adds the partial sums.
__device__ unsigned finished_blocks;

__global__ void SumAll(const float* x, float* partial, float* total) {
  __shared__ float cache[64];
  __shared__ bool is_last;
  const int tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) {
    partial[blockIdx.x] = cache[0];
    __threadfence();
    is_last = atomicAdd(&finished_blocks, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && tid == 0) {
    const volatile float* finished = partial;
    float sum = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += finished[b];
    *total = sum;
  }
}
