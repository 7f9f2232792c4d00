// check: --kernel LowerBound --grid 1 --block 8 --arg float32[32]=zeros --arg int32[8]=unwritten
//        --arg int32=32
// expect: step-limit -- the lower bound is set to the middle itself and stops moving
// line: 10, 11, 12, 13, 15
// First position whose value is not below the thread's number.
__global__ void LowerBound(const float* sorted, int* positions, int n) {
  const float wanted = 1.0f + threadIdx.x;
  int low = 0;
  int high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < wanted) {
      low = middle;
    } else {
      high = middle;
    }
  }
  positions[threadIdx.x] = low;
}
