// check: --kernel BlockMaxima --grid 6 --block 128 --arg float32[768]=uniform
//        --arg float32[6]=unwritten
// expect: clean
// Maximum of each block's slice: tree reduction with interleaved addressing.
__global__ void BlockMaxima(const float* x, float* maxima) {
  __shared__ float cache[128];
  const unsigned tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (tid % (2 * stride) == 0) cache[tid] = fmaxf(cache[tid], cache[tid + stride]);
  }
  if (tid == 0) maxima[blockIdx.x] = cache[0];
}
