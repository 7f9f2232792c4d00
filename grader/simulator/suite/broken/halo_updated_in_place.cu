// check: --kernel SmoothInPlace --grid 4 --block 64 --arg float32[256]=uniform --arg int32=256
// expect: race -- a block overwrites edge values that its neighbours load as their halo
// line: 10, 11, 13
// Three-point moving average of an array in place.
__global__ void SmoothInPlace(float* x, int n) {
  __shared__ float tile[66];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int local = threadIdx.x + 1;
  tile[local] = x[i];
  if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0.0f;
  if (threadIdx.x == 63) tile[65] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  x[i] = (tile[local - 1] + tile[local] + tile[local + 1]) / 3.0f;
}
