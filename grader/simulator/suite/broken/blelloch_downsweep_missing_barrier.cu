// check: --kernel ExclusiveScan --grid 1 --block 64 --arg int32[128]=integers
//        --arg int32[128]=unwritten
// expect: race -- the down-sweep has no barrier between its levels
// line: 24, 25, 26
// Exclusive prefix sum of 128 items with 64 threads.
constexpr int kItems = 128;

__global__ void ExclusiveScan(const int* x, int* prefix) {
  __shared__ int data[kItems];
  const int tid = threadIdx.x;
  data[tid] = x[tid];
  data[tid + 64] = x[tid + 64];
  for (int stride = 1; stride < kItems; stride *= 2) {
    __syncthreads();
    const int right = (tid + 1) * stride * 2 - 1;
    if (right < kItems) data[right] += data[right - stride];
  }
  __syncthreads();
  if (tid == 0) data[kItems - 1] = 0;
  __syncthreads();
  for (int stride = kItems / 2; stride > 0; stride /= 2) {
    const int right = (tid + 1) * stride * 2 - 1;
    if (right < kItems) {
      const int left_sum = data[right - stride];
      data[right - stride] = data[right];
      data[right] += left_sum;
    }
  }
  __syncthreads();
  prefix[tid] = data[tid];
  prefix[tid + 64] = data[tid + 64];
}
