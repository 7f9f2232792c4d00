// check: --kernel BitonicSort --grid 2 --block 128 --arg float32[256]=uniform
// expect: clean
// Sorts each block's 128 values in place with a bitonic network.
constexpr int kItems = 128;

__global__ void BitonicSort(float* x) {
  __shared__ float keys[kItems];
  const int tid = threadIdx.x;
  keys[tid] = x[blockIdx.x * kItems + tid];
  __syncthreads();
  for (int size = 2; size <= kItems; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int partner = tid ^ stride;
      if (partner > tid) {
        const bool ascending = (tid & size) == 0;
        const float mine = keys[tid];
        const float other = keys[partner];
        if ((mine > other) == ascending) {
          keys[tid] = other;
          keys[partner] = mine;
        }
      }
      __syncthreads();
    }
  }
  x[blockIdx.x * kItems + tid] = keys[tid];
}
