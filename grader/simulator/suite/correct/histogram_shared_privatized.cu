// check: --kernel PrivateHistogram --grid 4 --block 96 --arg uint8[3000]=integers
//        --arg uint32[64]=zeros --arg int32=3000
// expect: clean
// Each block counts in its own shared bins and adds them to the global ones at the end.
constexpr int kBins = 64;

__global__ void PrivateHistogram(const unsigned char* pixels, unsigned* histogram, int n) {
  __shared__ unsigned bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    atomicAdd(&bins[pixels[i] % kBins], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (bins[b] > 0) atomicAdd(&histogram[b], bins[b]);
  }
}
