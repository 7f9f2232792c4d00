// check: --kernel BlockMinima --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[2]=unwritten
// expect: race -- one barrier before the loop cannot order its steps
// line: 13
// Minimum of each block's slice with interleaved addressing.
__global__ void BlockMinima(const float* x, float* minima) {
  __shared__ float cache[64];
  const unsigned tid = threadIdx.x;
  cache[tid] = x[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
      cache[tid] = fminf(cache[tid], cache[tid + stride]);
    }
  }
  if (tid == 0) minima[blockIdx.x] = cache[0];
}
