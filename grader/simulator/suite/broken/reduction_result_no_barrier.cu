// check: --kernel CenterBlock --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- all threads read the block sum that thread 0 writes, with no barrier between
// line: 15, 16
// Subtracts the block's mean from its values.
__global__ void CenterBlock(const float* x, float* out) {
  __shared__ float warp_sums[2];
  __shared__ float total;
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  float sum = x[i];
  for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  if (tid % 32 == 0) warp_sums[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) total = warp_sums[0] + warp_sums[1];
  out[i] = x[i] - total / 64.0f;
}
