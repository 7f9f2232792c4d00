// check: --kernel BroadcastFirstPositive --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: divergent-barrier -- lanes with negative values run the shuffle but are not in its mask
// line: 10
// Gives all lanes the first positive value of their warp.
__global__ void BroadcastFirstPositive(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  const unsigned positive = __ballot_sync(0xffffffffu, value > 0.0f);
  const float first = __shfl_sync(positive, value, __ffs(positive) - 1);
  out[i] = value - first;
}
