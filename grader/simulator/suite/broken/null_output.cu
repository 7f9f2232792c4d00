// check: --kernel Fill --grid 1 --block 32 --arg uint64=0 --arg float32=1.0 --arg int32=32
// expect: out-of-bounds -- the output pointer is null
// line: 8
// Fills an array with one value.
__global__ void Fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = value;
  }
}
