// check: --kernel ReportLargest --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[1]=unwritten
// expect: clean
// Finds the largest of 32 values and prints it from one lane.
__global__ void ReportLargest(const float* x, float* result) {
  float largest = x[threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, bit));
  }
  if (threadIdx.x == 0) {
    printf("largest: %f\n", largest);
    *result = largest;
  }
}
