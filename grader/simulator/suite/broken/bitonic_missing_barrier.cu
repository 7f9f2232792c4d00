// check: --kernel BitonicSort --grid 1 --block 64 --arg float32[64]=uniform
// expect: race -- the barrier stands outside the inner loop, so its steps are not ordered
// line: 14, 15, 17, 18
// Sorts 64 values with a bitonic network.
__global__ void BitonicSort(float* x) {
  __shared__ float keys[64];
  const int tid = threadIdx.x;
  keys[tid] = x[tid];
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int partner = tid ^ stride;
      if (partner > tid) {
        const float mine = keys[tid];
        const float other = keys[partner];
        if ((mine > other) == ((tid & size) == 0)) {
          keys[tid] = other;
          keys[partner] = mine;
        }
      }
    }
    __syncthreads();
  }
  x[tid] = keys[tid];
}
