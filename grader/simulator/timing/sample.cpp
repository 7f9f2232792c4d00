#include "grader/simulator/timing/sample.h"

#include <algorithm>
#include <numeric>

#include "common/mixed.h"

namespace tessera::sim {
namespace {

/// From each of so many equal parts of the grid a block is sampled.
constexpr std::uint64_t kParts = 4;

/// Draws the number of a block that is not in the last place of any direction. If there are enough
/// places, it is not in the first one nor in the last but one either: blocks at the grid's edge may
/// have less work.
std::uint64_t inner_block(Dim3 grid, std::uint64_t key) {
  const auto inner = [&](std::uint32_t extent, std::uint64_t direction) {
    constexpr std::uint32_t kEnough = 8;
    const std::uint64_t first = extent >= kEnough ? 1 : 0;
    const std::uint64_t last = extent >= kEnough ? extent - 3 : extent > 1 ? extent - 2 : 0;
    return first + drawn(key, direction) % (last - first + 1);
  };
  const std::uint64_t x = inner(grid.x, 0), y = inner(grid.y, 1), z = inner(grid.z, 2);
  return x + grid.x * (y + grid.y * z);
}

const BlockSample* sample_of(const std::vector<BlockSample>& samples, std::uint64_t block) {
  const auto found = std::ranges::find(samples, block, &BlockSample::block);
  return found == samples.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::uint64_t> blocks_to_sample(Dim3 grid, std::uint64_t key) {
  const std::uint64_t first = inner_block(grid, key);
  std::vector<std::uint64_t> blocks{first};
  const auto add = [&](std::uint64_t block) {
    if (std::ranges::count(blocks, block) == 0) blocks.push_back(block);
  };
  if (grid.x > 1) add(first + 1);
  if (grid.y > 1) add(first + grid.x);
  for (std::uint64_t part = 0; part < kParts; ++part) {
    const std::uint64_t begin = grid.count() * part / kParts;
    const std::uint64_t end = grid.count() * (part + 1) / kParts;
    if (begin < end) add(begin + drawn(~key, part) % (end - begin));
  }
  return blocks;
}

std::vector<std::uint64_t> edge_blocks(Dim3 grid, const std::vector<std::uint64_t>& sampled) {
  std::vector<std::uint64_t> blocks{0, grid.count() - 1};
  std::erase_if(blocks,
                [&](std::uint64_t block) { return std::ranges::count(sampled, block) != 0; });
  return blocks;
}

LaunchCounters scaled_up(const std::vector<BlockSample>& samples,
                         const std::vector<BlockSample>& edges, Dim3 grid) {
  const double scale = static_cast<double>(grid.count()) / static_cast<double>(samples.size());
  LaunchCounters counters;
  counters.sampled_blocks = samples.size();
  const auto add = [&](double& to, std::uint64_t count) {
    to += scale * static_cast<double>(count);
  };
  for (const BlockSample& sample : samples) {
    for (std::size_t i = 0; i < kInstructionClasses; ++i)
      add(counters.instructions[i], sample.instructions[i]);
    add(counters.global_lines, sample.global_lines);
    add(counters.shared_wavefronts, sample.shared_wavefronts);
    add(counters.tensor_work, sample.tensor_work);
    add(counters.async_tensor_work, sample.async_tensor_work);
    add(counters.copied_sectors, sample.copied_sectors);
    add(counters.loaded_sectors, sample.loaded.count());
    add(counters.stored_sectors, sample.stored_sectors);
    add(counters.stored_once, sample.stored.count());
    counters.barriers |= sample.barriers;
    counters.wait.from_l2 += sample.wait.from_l2 / static_cast<double>(samples.size());
    counters.wait.from_dram += sample.wait.from_dram / static_cast<double>(samples.size());
  }
  for (const BlockSample& edge : edges) {
    const auto issued =
        std::accumulate(edge.instructions.begin(), edge.instructions.end(), std::uint64_t{0});
    counters.edge_cycles = std::max(
        {counters.edge_cycles, edge.wait.from_l2, static_cast<double>(issued) / kSchedulers});
  }
  const BlockSample& first = samples.front();
  const BlockSample* right = grid.x > 1 ? sample_of(samples, first.block + 1) : nullptr;
  const BlockSample* down = grid.y > 1 ? sample_of(samples, first.block + grid.x) : nullptr;
  if (first.loaded.count() == 0) return counters;
  const double part = counters.loaded_sectors / static_cast<double>(first.loaded.count());
  const auto shared = [&](std::vector<const SectorSet*> sets) {
    return part * static_cast<double>(SectorSet::common(sets));
  };
  if (right != nullptr) counters.shared_along_x = shared({&first.loaded, &right->loaded});
  if (down != nullptr) counters.shared_along_y = shared({&first.loaded, &down->loaded});
  if (right != nullptr && down != nullptr)
    counters.shared_along_both = shared({&first.loaded, &right->loaded, &down->loaded});
  return counters;
}

}  // namespace tessera::sim
