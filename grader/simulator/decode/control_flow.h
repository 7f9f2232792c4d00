// Basic blocks of a function and where divergent lanes meet again.
#pragma once

#include <cstddef>
#include <vector>

#include "common/expected.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

struct BasicBlock {
  std::size_t begin = 0;  // indices into ptx::Function::body, [begin, end)
  std::size_t end = 0;
  std::vector<int> successors;  // indices of blocks; empty where threads leave the function
};

/// Blocks in program order. The Error names a branch to a label that does not exist.
Expected<std::vector<BasicBlock>> basic_blocks(const ptx::Function& function);

/// The same graph with every arrow turned; the blocks know no instructions.
std::vector<BasicBlock> reversed(const std::vector<BasicBlock>& blocks);

inline constexpr int kExitBlock = -1;

/// For each block its immediate post-dominator, kExitBlock where that is the function's end or
/// where no end is reached. Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on
/// the reversed graph. A graph that takes too long has none: where lanes meet is a convenience.
std::vector<int> immediate_post_dominators(const std::vector<BasicBlock>& blocks);

/// The same blocks where no branch goes to what only leads out of the function, if another way
/// comes to an end too: lanes that leave meet nobody, and the others go on together, as ptxas lets
/// them.
std::vector<BasicBlock> without_ways_out(const std::vector<BasicBlock>& blocks);

/// For each block that parts threads of which at least two parts may come to a block-wide barrier:
/// the first block that all come through on their way to the next one, whichever of them leave the
/// function before. kExitBlock where there is none.
std::vector<int> meetings_before_barriers(const ptx::Function& function,
                                          const std::vector<BasicBlock>& blocks);

}  // namespace tessera::sim
