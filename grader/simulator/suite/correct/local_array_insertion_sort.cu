// check: --kernel MedianOfWindow --grid 2 --block 64 --arg float32[134]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// Median of seven neighbours, sorted in an array of the thread's own.
constexpr int kWindow = 7;

__global__ void MedianOfWindow(const float* x, float* medians) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sorted[kWindow];
  for (int k = 0; k < kWindow; ++k) {
    const float value = x[i + k];
    int slot = k;
    while (slot > 0 && sorted[slot - 1] > value) {
      sorted[slot] = sorted[slot - 1];
      --slot;
    }
    sorted[slot] = value;
  }
  medians[i] = sorted[kWindow / 2];
}
