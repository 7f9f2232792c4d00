// Which blocks stand for a launch, and their counts scaled up to it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/launch.h"
#include "grader/simulator/timing.h"

namespace tessera::sim {

/// Linear numbers of the blocks to look at, each once: the one in the middle of the grid first, its
/// neighbours in x and in y, where the grid has them, and one at a quarter of the grid.
std::vector<std::uint64_t> blocks_to_sample(Dim3 grid);

/// `samples` are those of blocks_to_sample(grid), in its order.
LaunchCounters scaled_up(const std::vector<BlockSample>& samples, Dim3 grid);

}  // namespace tessera::sim
