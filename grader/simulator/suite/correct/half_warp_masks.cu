// check: --kernel HalfWarpMeans --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// Mean over each half warp; every half uses its own mask of sixteen lanes.
__global__ void HalfWarpMeans(const float* x, float* deviation) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_upper = (threadIdx.x & 16) != 0;
  const unsigned mask = is_upper ? 0xffff0000u : 0x0000ffffu;
  float sum = x[i];
  for (int bit = 8; bit > 0; bit /= 2) sum += __shfl_xor_sync(mask, sum, bit, 16);
  deviation[i] = x[i] - sum / 16.0f;
}
