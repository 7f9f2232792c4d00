// check: --kernel Square --grid 4 --block 64 --arg float32[250]=uniform
//        --arg float32[250]=unwritten
// expect: out-of-bounds -- nothing stops the threads of the last block that lie past the end
// line: 8, 10
// Squares every value.
__global__ void Square(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  const float square = value * value;
  out[i] = square;
}
