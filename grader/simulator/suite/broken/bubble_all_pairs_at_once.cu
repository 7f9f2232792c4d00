// check: --kernel SortPass --grid 1 --block 63 --arg float32[64]=uniform
// expect: race -- neighbouring threads swap overlapping pairs in the same phase
// line: 7, 8, 10, 11
// One pass of exchanges between neighbours.
__global__ void SortPass(float* x) {
  const int i = threadIdx.x;
  const float left = x[i];
  const float right = x[i + 1];
  if (left > right) {
    x[i] = right;
    x[i + 1] = left;
  }
}
