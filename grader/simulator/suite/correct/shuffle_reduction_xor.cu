// check: --kernel NormalizeByWarpMax --grid 4 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: clean
// Divides every value by the largest magnitude in its warp; the butterfly leaves it in all lanes.
__global__ void NormalizeByWarpMax(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float largest = fabsf(x[i]);
  for (int mask = 16; mask > 0; mask /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, mask));
  }
  y[i] = largest > 0.0f ? x[i] / largest : 0.0f;
}
