// check: --kernel OddEvenSort --grid 2 --block 24 --arg int32[96]=integers
//        --arg int32[96]=unwritten
// expect: clean
// Odd-even transposition sort of 48 items with a barrier after every phase.
constexpr int kItems = 48;

__global__ void OddEvenSort(const int* x, int* sorted) {
  __shared__ int items[kItems];
  const int base = blockIdx.x * kItems;
  for (int k = threadIdx.x; k < kItems; k += blockDim.x) items[k] = x[base + k];
  __syncthreads();
  for (int phase = 0; phase < kItems; ++phase) {
    const int left = 2 * threadIdx.x + phase % 2;
    if (left + 1 < kItems && items[left] > items[left + 1]) {
      const int larger = items[left];
      items[left] = items[left + 1];
      items[left + 1] = larger;
    }
    __syncthreads();
  }
  for (int k = threadIdx.x; k < kItems; k += blockDim.x) sorted[base + k] = items[k];
}
