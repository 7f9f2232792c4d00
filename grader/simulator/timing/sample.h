// Which blocks stand for a launch, and their counts scaled up to it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/launch.h"
#include "grader/simulator/timing/timing.h"

namespace tessera::sim {

/// Linear numbers of the blocks to look at, each once: one that is drawn from all but the edge of
/// the grid first, its neighbours in x and in y, where the grid has them, and another drawn one. A
/// kernel that knew them could do the work in these blocks alone.
std::vector<std::uint64_t> blocks_to_sample(Dim3 grid, std::uint64_t key);

/// `samples` are those of blocks_to_sample(), in its order.
LaunchCounters scaled_up(const std::vector<BlockSample>& samples, Dim3 grid);

}  // namespace tessera::sim
