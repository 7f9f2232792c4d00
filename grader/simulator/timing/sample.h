// Chooses blocks that stand for a launch, and scales their counts up to the launch.
#pragma once

#include <cstdint>
#include <vector>

#include "common/launch.h"
#include "grader/simulator/timing/timing.h"

namespace tessera::sim {

/// Returns the linear numbers of the blocks to run, each once: a block drawn from all but the edge
/// of the grid comes first, then its neighbours in x and in y, if the grid has them, and a second
/// drawn block. They are drawn, as a kernel that knew them could do its work in these blocks alone.
std::vector<std::uint64_t> blocks_to_sample(Dim3 grid, std::uint64_t key);

/// Returns the counters of the whole launch. `samples` are those of blocks_to_sample(), in its
/// order.
LaunchCounters scaled_up(const std::vector<BlockSample>& samples, Dim3 grid);

}  // namespace tessera::sim
