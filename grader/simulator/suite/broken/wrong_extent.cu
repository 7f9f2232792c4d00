// check: --kernel PairSums --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[64]=unwritten --arg int32=128
// expect: out-of-bounds -- the guard has the length of the input, but the output is half as long
// line: 10
// Sum of every pair of neighbours.
__global__ void PairSums(const float* x, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int left = 2 * i % n;
    sums[i] = x[left] + x[left + 1];
  }
}
