// check: --kernel SplitByLowBit --grid 2 --block 128 --arg int32[256]=integers
//        --arg int32[256]=unwritten
// expect: clean
// Stable split of a block by the lowest bit: zeros first, with ranks from a shared scan.
__global__ void SplitByLowBit(const int* x, int* out) {
  __shared__ int ones[128];
  const int tid = threadIdx.x;
  const int value = x[blockIdx.x * 128 + tid];
  const int bit = value & 1;
  ones[tid] = bit;
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    const int left = tid >= offset ? ones[tid - offset] : 0;
    __syncthreads();
    ones[tid] += left;
    __syncthreads();
  }
  const int ones_before = ones[tid] - bit;
  const int zeros = 128 - ones[127];
  out[blockIdx.x * 128 + (bit ? zeros + ones_before : tid - ones_before)] = value;
}
