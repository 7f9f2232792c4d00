// check: --kernel ExclusiveScan --grid 2 --block 64 --arg int32[256]=integers
//        --arg int32[256]=unwritten
// expect: clean
// Work-efficient exclusive prefix sum of 128 items with 64 threads.
constexpr int kItems = 128;

__global__ void ExclusiveScan(const int* x, int* prefix) {
  __shared__ int data[kItems];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * kItems;
  data[tid] = x[base + tid];
  data[tid + kItems / 2] = x[base + tid + kItems / 2];
  for (int stride = 1; stride < kItems; stride *= 2) {
    __syncthreads();
    const int right = (tid + 1) * stride * 2 - 1;
    if (right < kItems) data[right] += data[right - stride];
  }
  __syncthreads();
  if (tid == 0) data[kItems - 1] = 0;
  for (int stride = kItems / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int right = (tid + 1) * stride * 2 - 1;
    if (right < kItems) {
      const int left_sum = data[right - stride];
      data[right - stride] = data[right];
      data[right] += left_sum;
    }
  }
  __syncthreads();
  prefix[base + tid] = data[tid];
  prefix[base + tid + kItems / 2] = data[tid + kItems / 2];
}
