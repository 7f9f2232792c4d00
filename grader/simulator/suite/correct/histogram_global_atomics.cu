// check: --kernel Histogram --grid 8 --block 128 --arg int32[1000]=integers --arg int32[16]=zeros
//        --arg int32=1000
// expect: clean
// Counts the low four bits of every value in global bins.
__global__ void Histogram(const int* values, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned bin = static_cast<unsigned>(values[i]) % 16u;
    atomicAdd(&bins[bin], 1);
  }
}
