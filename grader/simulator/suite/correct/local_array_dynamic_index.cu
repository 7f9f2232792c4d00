// check: --kernel DigitCounts --grid 2 --block 32 --arg int32[64]=integers
//        --arg int32[64]=unwritten --arg int32=5
// expect: clean
// Counts base-5 digits in a local array and returns the most frequent digit.
__global__ void DigitCounts(const int* x, int* favourites, int base) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int counts[16];
  for (int d = 0; d < base; ++d) counts[d] = 0;
  unsigned rest = 2654435761u * static_cast<unsigned>(x[i] + i);
  for (; rest > 0; rest /= base) ++counts[rest % base];
  int favourite = 0;
  for (int d = 1; d < base; ++d) {
    if (counts[d] > counts[favourite]) favourite = d;
  }
  favourites[i] = favourite;
}
