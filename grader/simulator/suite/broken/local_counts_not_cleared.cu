// check: --kernel DigitCounts --grid 1 --block 32 --arg int32[32]=integers
//        --arg int32[32]=unwritten --arg int32=10
// expect: uninitialized-read -- the local counts are raised without being cleared
// line: 10, 12
// Number of sevens among the digits of a hash.
__global__ void DigitCounts(const int* x, int* sevens, int base) {
  int counts[16];
  unsigned rest = 2654435761u * static_cast<unsigned>(x[threadIdx.x] + 1000 + threadIdx.x);
  for (; rest > 0; rest /= base) {
    ++counts[rest % base];
  }
  sevens[threadIdx.x] = counts[7 % base];
}
