// check: --kernel Smooth --grid 8 --block 64 --arg float32[500]=uniform
//        --arg float32[500]=unwritten --arg int32=500
// expect: clean
// Five-point moving average through a shared tile with a halo of two on each side.
constexpr int kBlock = 64;
constexpr int kRadius = 2;

__device__ float LoadOrZero(const float* x, int i, int n) {
  return i >= 0 && i < n ? x[i] : 0.0f;
}

__global__ void Smooth(const float* x, float* y, int n) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int local = threadIdx.x + kRadius;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  tile[local] = LoadOrZero(x, i, n);
  if (threadIdx.x < kRadius) {
    tile[local - kRadius] = LoadOrZero(x, i - kRadius, n);
    tile[local + kBlock] = LoadOrZero(x, i + kBlock, n);
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = -kRadius; k <= kRadius; ++k) sum += tile[local + k];
  y[i] = sum / (2 * kRadius + 1);
}
