// check: --kernel BlockQueue --grid 3 --block 96 --arg int32[288]=integers
//        --arg int32[288]=unwritten --arg int32[1]=zeros
// expect: clean
// Odd values gather in a shared queue, which then moves as a whole to the global one.
__global__ void BlockQueue(const int* x, int* queue, int* length) {
  __shared__ int items[96];
  __shared__ int count;
  __shared__ int base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int value = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (value & 1) items[atomicAdd(&count, 1)] = value;
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(length, count);
  __syncthreads();
  const int tid = threadIdx.x;
  if (tid < count) queue[base + tid] = items[tid];
}
