// check: --kernel SumSlices --grid 2 --block 64 --arg float32[100]=uniform
//        --arg float32[2]=unwritten --arg int32=100
// expect: uninitialized-read -- past the end the guard leaves the cache as it is, not zero
// line: 13
// Sum of each block's slice of an array that does not fill the last block.
__global__ void SumSlices(const float* x, float* sums, int n) {
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (i < n) cache[tid] = x[i];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) cache[tid] += cache[tid + stride];
    __syncthreads();
  }
  if (tid == 0) sums[blockIdx.x] = cache[0];
}
