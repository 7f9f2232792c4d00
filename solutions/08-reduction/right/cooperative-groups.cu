// Tiles of a warp, as cooperative groups: each adds its values, the first adds the sums
// of all.
#include <cooperative_groups.h>

#include <tessera/lab.cuh>

namespace cg = cooperative_groups;

constexpr int PIECE = 256;
constexpr int TILE = 32;

template <class Tile>
__device__ float tile_sum(const Tile& tile, float value) {
  for (int step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
  return value;
}

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[PIECE / TILE];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<TILE>(block);
  const int i = block.group_index().x * PIECE + block.thread_rank();
  const float value = tile_sum(tile, input[i]);
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = value;
  block.sync();
  if (tile.meta_group_rank() > 0) return;
  const int t = tile.thread_rank();
  const float sum = tile_sum(tile, t < PIECE / TILE ? sums[t] : 0.0f);
  if (t == 0) partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
