// check: --kernel Double --grid 4 --block 64 --arg float32[256]=uniform
//        --arg float32[200]=unwritten --arg int32=200
// expect: race -- threads past the end are clamped to the last element and all write it
// line: 10
// Doubles the first n values.
__global__ void Double(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = 2.0f * x[i];
  const int clamped = min(i, n - 1);
  out[clamped] = value;
}
