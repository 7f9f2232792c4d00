// check: --kernel GuardedLoad --grid 4 --block 64 --arg float32[250]=uniform
//        --arg float32[250]=unwritten --arg int32=250
// expect: out-of-bounds -- the load has a guard, the store has none
// line: 10
// Rectifies every value.
__global__ void GuardedLoad(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? x[i] : 0.0f;
  const float rectified = fmaxf(value, 0.0f);
  out[i] = rectified;
}
