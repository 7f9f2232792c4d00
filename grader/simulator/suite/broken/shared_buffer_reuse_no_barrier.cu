// check: --kernel SumThenRank --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- the buffer gets its second use while others still read from the first
// line: 12, 13
// Adds the mirrored value, then the right neighbour of that sum.
__global__ void SumThenRank(const float* x, float* out) {
  __shared__ float buffer[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  buffer[tid] = x[i];
  __syncthreads();
  const float sum = x[i] + buffer[63 - tid];
  buffer[tid] = sum;
  __syncthreads();
  out[i] = sum + buffer[(tid + 1) % 64];
}
