// check: --kernel CountNegative --grid 4 --block 96 --arg float32[384]=uniform --arg int32[1]=zeros
//        --arg int32[384]=unwritten
// expect: clean
// Appends the indices of negative values; lanes that are active together share one atomic.
__device__ int AggregatedIncrement(int* counter) {
  const unsigned active = __activemask();
  const int lane = threadIdx.x % 32;
  const int leader = __ffs(active) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(active));
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & ((1u << lane) - 1u));
}

__global__ void CountNegative(const float* x, int* counter, int* indices) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] < 0.0f) indices[AggregatedIncrement(counter)] = i;
}
