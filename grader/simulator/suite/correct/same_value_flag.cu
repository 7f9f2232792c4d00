// check: --kernel AnyNegative --grid 4 --block 64 --arg float32[256]=uniform --arg int32[1]=zeros
// expect: clean
// Many threads raise the same flag with the same value; no thread reads it in this launch.
__global__ void AnyNegative(const float* x, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_negative = x[i] < 0.0f;
  if (is_negative) {
    *found = 1;
  }
}
