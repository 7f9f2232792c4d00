// check: --kernel Square --grid 4 --block 64 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// expect: race -- the output index leaves out the block, so all blocks write the same elements
// line: 10
// Squares every value.
__global__ void Square(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  const int target = threadIdx.x;
  out[target] = value * value;
}
