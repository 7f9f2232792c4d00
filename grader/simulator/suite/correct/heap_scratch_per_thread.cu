// check: --kernel ReverseRows --grid 2 --block 8 --arg float32[256]=uniform
//        --arg float32[256]=unwritten --arg int32=16 --arg int32=16
// expect: clean
// Each thread reverses one row of a matrix through an array of its own on the heap.
__global__ void ReverseRows(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float* copy = static_cast<float*>(malloc(columns * sizeof(float)));
  if (copy == nullptr) return;
  for (int i = 0; i < columns; ++i) copy[i] = in[row * columns + i];
  for (int i = 0; i < columns; ++i) out[row * columns + i] = copy[columns - 1 - i];
  free(copy);
}
