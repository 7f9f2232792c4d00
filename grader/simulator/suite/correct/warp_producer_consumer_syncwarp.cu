// check: --kernel WarpStages --grid 2 --block 96 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// expect: clean
// Lane 0 of each warp scans 32 values into shared slots, then all lanes consume them.
__global__ void WarpStages(const float* x, float* out) {
  __shared__ float slots[3][32];
  const int lane = threadIdx.x % 32;
  float* mine = slots[threadIdx.x / 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[lane] = x[i];
  __syncwarp();
  if (lane == 0) {
    for (int k = 1; k < 32; ++k) mine[k] += mine[k - 1];
  }
  __syncwarp();
  out[i] = mine[lane] / mine[31 - lane];
}
