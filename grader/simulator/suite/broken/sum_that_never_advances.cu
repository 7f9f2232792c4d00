// check: --kernel RowSums --grid 1 --block 32 --arg float32[512]=integers
//        --arg float32[32]=unwritten --arg int32=16
// expect: step-limit -- nothing increments p; the effect of the loop shows only after it
// line: 9, 10, 11
__global__ void RowSums(const float* x, float* sums, int n) {
  const int row = threadIdx.x;
  float sum = 0.0f;
  int p = 0;
  while (p < n) {
    sum += x[row * n + p];
  }
  sums[row] = sum;
}
