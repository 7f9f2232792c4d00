// Tiles of half a warp that add by cooperative_groups::reduce; 16 of them make 16 sums.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <tessera/lab.cuh>

namespace cg = cooperative_groups;

constexpr int PIECE = 256;
constexpr int TILE = 16;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[PIECE / TILE];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);
  const float value = input[blockIdx.x * PIECE + threadIdx.x];
  const float part = cg::reduce(tile, value, cg::plus<float>());
  if (tile.thread_rank() == 0) sums[threadIdx.x / TILE] = part;
  cg::sync(block);
  if (threadIdx.x >= TILE) return;
  const float sum = cg::reduce(tile, sums[tile.thread_rank()], cg::plus<float>());
  if (tile.thread_rank() == 0) partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
