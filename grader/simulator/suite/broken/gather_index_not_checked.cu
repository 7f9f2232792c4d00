// check: --kernel Gather --grid 2 --block 64 --arg float32[128]=uniform --arg float32[100]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- positions in [-1, 1] scale to indices that may lie before the table
// line: 9
// Looks values up in a table by their position.
__global__ void Gather(const float* positions, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int index = static_cast<int>(positions[i] * 99.0f);
  const float value = table[index];
  out[i] = value;
}
