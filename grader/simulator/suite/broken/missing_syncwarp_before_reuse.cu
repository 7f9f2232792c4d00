// check: --kernel WarpRounds --grid 1 --block 64 --arg float32[256]=uniform
//        --arg float32[64]=unwritten
// expect: race -- lane 0 overwrites the slot while other lanes may still read the last value
// line: 12, 14
// Lane 0 of each warp shares one value in every round.
__global__ void WarpRounds(const float* x, float* out) {
  __shared__ float slots[2];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float sum = 0.0f;
  for (int round = 0; round < 4; ++round) {
    if (lane == 0) slots[warp] = x[round * 64 + warp * 32];
    __syncwarp();
    sum += slots[warp] * lane;
  }
  out[threadIdx.x] = sum;
}
