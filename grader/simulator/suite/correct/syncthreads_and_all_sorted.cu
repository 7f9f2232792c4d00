// check: --kernel CheckSorted --grid 3 --block 60 --arg float32[180]=uniform
//        --arg int32[3]=unwritten
// expect: clean
// Stores for each block whether its slice is sorted, with an and-barrier.
__global__ void CheckSorted(const float* x, int* is_sorted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool has_right = threadIdx.x + 1 < blockDim.x;
  const bool in_order = !has_right || x[i] <= x[i + 1];
  const int all_in_order = __syncthreads_and(in_order);
  if (threadIdx.x == 0) is_sorted[blockIdx.x] = all_in_order;
}
