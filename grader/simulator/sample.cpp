#include "grader/simulator/sample.h"

#include <algorithm>

namespace tessera::sim {
namespace {

/// The block in the middle of the grid and its neighbours.
struct Middle {
  explicit Middle(Dim3 grid)
      : grid(grid), x((grid.x - 1) / 2), y((grid.y - 1) / 2), z((grid.z - 1) / 2) {}

  std::uint64_t block(std::uint32_t right, std::uint32_t down) const {
    return x + right + std::uint64_t{grid.x} * (y + down + std::uint64_t{grid.y} * z);
  }
  bool has_right() const { return grid.x > 1; }
  bool has_down() const { return grid.y > 1; }

  Dim3 grid;
  std::uint32_t x, y, z;
};

const BlockSample* sample_of(const std::vector<BlockSample>& samples, std::uint64_t block) {
  const auto found = std::ranges::find(samples, block, &BlockSample::block);
  return found == samples.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::uint64_t> blocks_to_sample(Dim3 grid) {
  const Middle middle(grid);
  std::vector<std::uint64_t> blocks{middle.block(0, 0)};
  const auto add = [&](std::uint64_t block) {
    if (std::ranges::count(blocks, block) == 0) blocks.push_back(block);
  };
  if (middle.has_right()) add(middle.block(1, 0));
  if (middle.has_down()) add(middle.block(0, 1));
  add(grid.count() / 4);
  return blocks;
}

LaunchCounters scaled_up(const std::vector<BlockSample>& samples, Dim3 grid) {
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
    add(counters.loaded_sectors, sample.loaded.count());
    add(counters.stored_sectors, sample.stored_sectors);
    add(counters.stored_once, sample.stored.count());
    counters.barriers |= sample.barriers;
    counters.wait.from_l2 += sample.wait.from_l2 / static_cast<double>(samples.size());
    counters.wait.from_dram += sample.wait.from_dram / static_cast<double>(samples.size());
  }
  const Middle middle(grid);
  const BlockSample& first = samples.front();
  const BlockSample* right = middle.has_right() ? sample_of(samples, middle.block(1, 0)) : nullptr;
  const BlockSample* down = middle.has_down() ? sample_of(samples, middle.block(0, 1)) : nullptr;
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
