// check: --kernel LoadersAndAdders --grid 2 --block 64 --arg float32[256]=uniform
//        --arg float32[64]=unwritten
// expect: clean
// Warp 0 loads tiles, warp 1 sums them; both pass the same two barriers in every round.
__global__ void LoadersAndAdders(const float* x, float* sums) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  const bool is_loader = threadIdx.x < 32;
  float sum = 0.0f;
  for (int round = 0; round < 4; ++round) {
    if (is_loader) tile[lane] = x[(blockIdx.x * 4 + round) * 32 + lane];
    __syncthreads();
    if (!is_loader) sum += tile[31 - lane];
    __syncthreads();
  }
  if (!is_loader) sums[blockIdx.x * 32 + lane] = sum;
}
