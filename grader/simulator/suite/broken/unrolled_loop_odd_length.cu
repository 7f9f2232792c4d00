// check: --kernel SumPairs --grid 1 --block 1 --arg float32[33]=uniform --arg float32[1]=unwritten
//        --arg int32=33
// expect: out-of-bounds -- the loop takes two elements at a time from an odd number
// line: 11
// Sum of an array by one thread, unrolled by two.
__global__ void SumPairs(const float* x, float* total, int n) {
  float even = 0.0f;
  float odd = 0.0f;
  for (int k = 0; k < n; k += 2) {
    even += x[k];
    odd += x[k + 1];
  }
  *total = even + odd;
}
