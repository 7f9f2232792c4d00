// check: --kernel CheckedRoots --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: trap -- the data breaks the kernel's demand for values that are not negative
// line: 9
// Square roots with a check of their arguments.
__global__ void CheckedRoots(const float* x, float* roots) {
  const float value = x[threadIdx.x];
  if (value < 0.0f) {
    __trap();
  }
  roots[threadIdx.x] = sqrtf(value);
}
