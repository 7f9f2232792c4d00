// check: --kernel LastRowSums --grid 1 --block 16 --arg float32[16,30]=uniform
//        --arg float32[16]=unwritten --arg int32=30
// expect: out-of-bounds -- the loop takes k <= cols, which leaves the matrix in its last row
// line: 10
// Sum of every row, one thread each.
__global__ void LastRowSums(const float* matrix, float* sums, int cols) {
  const int row = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k <= cols; ++k) {
    sum += matrix[row * cols + k];
  }
  sums[row] = sum;
}
