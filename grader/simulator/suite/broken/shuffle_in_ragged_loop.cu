// check: --kernel RunningExchange --grid 1 --block 32 --arg float32[40]=uniform
//        --arg float32[32]=unwritten --arg int32=40
// expect: divergent-barrier -- in the second round only eight lanes reach the full-mask shuffle
// line: 11
// Sums neighbours' values over a length that is no multiple of the warp.
__global__ void RunningExchange(const float* x, float* out, int n) {
  __shared__ float sums[32];
  const int lane = threadIdx.x;
  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) {
    sum += __shfl_xor_sync(0xffffffffu, x[i], 1);
  }
  sums[lane] = sum;
  __syncthreads();
  out[lane] = sums[31 - lane];
}
