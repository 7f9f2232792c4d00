// check: --kernel SumLowerHalf --grid 2 --block 32 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: divergent-barrier -- the full mask names sixteen lanes that do not come to the shuffle
// line: 12
// Sums the lower half warp and shares the sum with all lanes.
__global__ void SumLowerHalf(const float* x, float* out) {
  __shared__ float sum;
  const int lane = threadIdx.x;
  float value = x[blockIdx.x * 32 + lane];
  if (lane < 16) {
    for (int offset = 8; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    if (lane == 0) sum = value;
  }
  __syncthreads();
  out[blockIdx.x * 32 + lane] = sum;
}
