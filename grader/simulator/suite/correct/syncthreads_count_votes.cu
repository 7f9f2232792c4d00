// check: --kernel CountInsideCircle --grid 4 --block 90 --arg float32[360]=uniform
//        --arg float32[360]=uniform --arg int32[4]=unwritten
// expect: clean
// Counts the points of each block that lie in the unit circle with a counting barrier.
__global__ void CountInsideCircle(const float* x, const float* y, int* hits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_inside = x[i] * x[i] + y[i] * y[i] <= 1.0f;
  const int inside = __syncthreads_count(is_inside);
  if (threadIdx.x == 0) {
    hits[blockIdx.x] = inside;
  }
}
