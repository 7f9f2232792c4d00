// check: --kernel WarpSum --grid 2 --block 32 --arg float32[64]=uniform --arg float32[2]=unwritten
// expect: race -- lanes of a warp no longer run in lockstep, so each step needs __syncwarp
// line: 11, 12, 13, 14, 15
// Sum of 32 values in shared memory by one warp.
__global__ void WarpSum(const float* x, float* sums) {
  __shared__ float cache[64];
  const int lane = threadIdx.x;
  cache[lane] = x[blockIdx.x * 32 + lane];
  cache[lane + 32] = 0.0f;
  __syncwarp();
  cache[lane] += cache[lane + 16];
  cache[lane] += cache[lane + 8];
  cache[lane] += cache[lane + 4];
  cache[lane] += cache[lane + 2];
  cache[lane] += cache[lane + 1];
  if (lane == 0) sums[blockIdx.x] = cache[0];
}
