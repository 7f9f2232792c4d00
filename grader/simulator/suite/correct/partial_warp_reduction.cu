// check: --kernel PartialWarpSums --grid 3 --block 48 --arg float32[144]=uniform
//        --arg float32[6]=unwritten
// expect: clean
// Warp sums in blocks of a warp and a half: the mask and the offsets fit the half warp.
__global__ void PartialWarpSums(const float* x, float* sums) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int members = min(32, static_cast<int>(blockDim.x) - warp * 32);
  const unsigned mask = 0xffffffffu >> (32 - members);
  float value = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int bit = members / 2; bit > 0; bit /= 2) value += __shfl_xor_sync(mask, value, bit);
  if (lane == 0) sums[blockIdx.x * 2 + warp] = value;
}
