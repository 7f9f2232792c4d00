// check: --kernel CountPositive --grid 1 --block 96 --arg float32[96]=uniform
//        --arg int32[96]=unwritten
// expect: divergent-barrier -- the counting barrier is a barrier too, and the last warp skips it
// line: 10, 13
// Counts positive values in the first two warps.
__global__ void CountPositive(const float* x, int* out) {
  __shared__ int count;
  const int tid = threadIdx.x;
  if (tid < 64) {
    const int positive = __syncthreads_count(x[tid] > 0.0f);
    if (tid == 0) count = positive;
  }
  __syncthreads();
  out[tid] = count + tid;
}
