// check: --kernel GrowingRounds --grid 4 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: clean
// Block b does b + 1 smoothing rounds; the bound differs between blocks, not within one.
__global__ void GrowingRounds(const float* x, float* out) {
  __shared__ float values[64];
  const int tid = threadIdx.x;
  values[tid] = x[blockIdx.x * 64 + tid];
  __syncthreads();
  for (unsigned round = 0; round <= blockIdx.x; ++round) {
    const float right = values[(tid + 1) % 64];
    __syncthreads();
    values[tid] = 0.5f * (values[tid] + right);
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = values[63 - tid];
}
