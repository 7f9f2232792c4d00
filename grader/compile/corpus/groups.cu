// Cooperative groups: blocks, tiles, coalesced threads, what they hand to each other.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;
template <unsigned N>
__device__ float tsum(cg::thread_block_tile<N> t, float v) {
  for (int d = t.size() / 2; d > 0; d /= 2) v += t.shfl_down(v, d);
  return v;
}
__device__ int gsum(thread_group g, int* temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}
__device__ int atomicAggInc(int* ptr) {
  cg::coalesced_group g = cg::coalesced_threads();
  int prev = 0;
  if (g.thread_rank() == 0) prev = atomicAdd(ptr, g.size());
  prev = g.thread_rank() + g.shfl(prev, 0);
  return prev;
}
struct Two {
  float a;
  int b;
  double c;
};
__global__ void k(int* p, float* f, unsigned* u) {
  __shared__ int temp[1024];
  cg::thread_block block = cg::this_thread_block();
  auto t32 = cg::tiled_partition<32>(block);
  cg::thread_block_tile<32> plain = cg::tiled_partition<32>(cg::this_thread_block());
  auto t16 = cg::tiled_partition<16>(t32);
  cg::thread_block_tile<4, cg::thread_block_tile<16, cg::thread_block_tile<32, cg::thread_block>>>
      t4 = cg::tiled_partition<4>(t16);
  f[0] = tsum<32>(t32, f[1]) + tsum<16>(t16, f[3]);
  p[1] = gsum(block, temp, p[2]);
  cg::thread_group tg = cg::tiled_partition(block, 8);
  p[3] = gsum(tg, temp, p[3]);
  cg::thread_group sub = cg::tiled_partition(tg, 4);
  sub.sync();
  p[4] = atomicAggInc(p);
  auto act = cg::coalesced_threads();
  auto part = cg::tiled_partition(act, 4);
  part.sync();
  p[5] = act.ballot(p[3] > 2) + act.any(p[3]) + act.all(p[4]) + act.shfl_up(p[3], 1) +
         act.shfl_down(p[2], 1) + act.match_any(p[3]);
  p[6] = t16.ballot(p[2]) + t16.any(1) + t16.all(0) + t4.meta_group_rank() + t4.meta_group_size() +
         plain.meta_group_rank() + t16.shfl_xor(p[4], 1) + t16.shfl_up(p[4], 1) + t4.match_any(3);
  int all;
  p[7] = t4.match_all(p[2], all) + all;
  Two two{1, 2, 3};
  two = t32.shfl(two, 3);
  p[8] = two.b;
  float4 v = t32.shfl(reinterpret_cast<float4*>(f)[2], 2);
  f[1] = v.x;
  f[2] = t32.shfl_down(static_cast<double>(f[3]), 2u) + t32.shfl(static_cast<short>(p[3]), 0) +
         t16.shfl((char)p[2], 1) + t32.shfl(true, 0);
  p[9] = cg::reduce(t32, p[2], cg::plus<int>()) + cg::reduce(t4, p[3], cg::less<int>()) +
         cg::reduce(t16, u[3], cg::greater<unsigned>()) + cg::reduce(act, p[3], cg::plus<int>()) +
         cg::reduce(t32, p[2], cg::bit_xor<int>{});
  f[9] = cg::reduce(t32, f[2], cg::plus<float>()) + cg::reduce(t16, f[3], cg::greater<float>()) +
         cg::reduce(act, f[3], cg::plus<float>()) +
         cg::reduce(t16, f[2], [](float a, float b) { return a * b; }) +
         cg::reduce(plain, f[8], cg::less<float>());
  cg::sync(block);
  cg::sync(t16);
  block.sync();
  cg::this_thread_block().sync();
  sync(block);
  p[10] = cg::thread_rank(block) + cg::group_size(t32) + block.group_index().x +
          block.thread_index().y + block.group_dim().z + block.dim_threads().x +
          block.num_threads() + block.size();
  auto grid = cg::this_grid();
  p[11] = grid.thread_rank() + grid.size() + grid.num_blocks() + grid.block_rank() +
          grid.dim_blocks().x + grid.group_dim().y;
  auto odd = cg::binary_partition(t32, p[2] & 1);
  p[12] = odd.size();
  auto lab = cg::labeled_partition(act, p[2] % 3);
  p[13] = lab.thread_rank();
  static_assert(decltype(t32)::size() == 32);
  constexpr unsigned n = decltype(t16)::num_threads();
  p[14] = n;
}
