// check: --kernel k --grid 2 --block 128 --arg int32[256]=integers --arg int32[4]=unwritten
// only with: nvrtc
// Two reductions take turns in one storage, with a barrier between them.
#include <cub/block/block_reduce.cuh>

__global__ void k(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int value = in[blockIdx.x * 128 + threadIdx.x];
  const int sum = Reduce(storage).Sum(value);
  __syncthreads();
  const int squares = Reduce(storage).Sum(value * value);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = squares;
  }
}
