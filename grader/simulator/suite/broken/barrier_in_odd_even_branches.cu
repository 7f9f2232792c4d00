// check: --kernel SwapPairs --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: divergent-barrier -- even and odd threads of each warp wait at different barriers
// line: 12, 16
// Swaps the values of even and odd neighbours.
__global__ void SwapPairs(const float* x, float* out) {
  __shared__ float evens[32];
  __shared__ float odds[32];
  const int tid = threadIdx.x;
  if (tid % 2 == 0) {
    evens[tid / 2] = x[tid];
    __syncthreads();
    out[tid] = odds[tid / 2];
  } else {
    odds[tid / 2] = x[tid] * 0.5f;
    __syncthreads();
    out[tid] = evens[tid / 2] + 1.0f;
  }
}
