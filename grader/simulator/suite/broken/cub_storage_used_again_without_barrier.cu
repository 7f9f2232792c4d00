// check: --kernel k --grid 2 --block 128 --arg int32[256]=integers --arg int32[4]=unwritten
// expect: race -- the second reduction writes into the storage while the first one reads it
// line: 13, 14
// only with: nvrtc
// Two reductions take turns in one storage.
#include <cub/block/block_reduce.cuh>

__global__ void k(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int value = in[blockIdx.x * 128 + threadIdx.x];

  const int sum = Reduce(storage).Sum(value);
  const int squares = Reduce(storage).Sum(value * value);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = squares;
  }
}
