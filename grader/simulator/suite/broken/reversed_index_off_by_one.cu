// check: --kernel Reverse --grid 2 --block 50 --arg float32[100]=uniform
//        --arg float32[100]=unwritten --arg int32=100
// expect: out-of-bounds -- the mirror of element 0 is n - 1, not n
// line: 9
// Reverses an array.
__global__ void Reverse(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = x[n - i];
  }
}
