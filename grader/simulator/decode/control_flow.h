// The basic blocks of a function, and where divergent lanes meet again.
#pragma once

#include <cstddef>
#include <vector>

#include "common/expected.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

struct BasicBlock {
  std::size_t begin = 0;  // indices into ptx::Function::body, [begin, end)
  std::size_t end = 0;
  std::vector<int> successors;  // indices of blocks; empty if threads leave the function here
};

/// Returns the blocks in program order, or an error: a branch to a label that does not exist, or
/// too many branches.
Expected<std::vector<BasicBlock>> basic_blocks(const ptx::Function& function);

/// Returns the graph with every edge reversed; the blocks have no instructions.
std::vector<BasicBlock> reversed(const std::vector<BasicBlock>& blocks);

inline constexpr int kExitBlock = -1;

/// Returns the immediate post-dominator of each block; kExitBlock if that is the function's end, or
/// if the block reaches no end. Uses Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
/// Algorithm", on the reversed graph. For a graph that takes too long, returns kExitBlock for all:
/// meeting is an optimisation.
std::vector<int> immediate_post_dominators(const std::vector<BasicBlock>& blocks);

/// Returns the blocks without edges to blocks that only lead out of the function, as long as
/// another path reaches an end too. Lanes that leave need not meet the others, so the others can
/// meet earlier, as in ptxas's code.
std::vector<BasicBlock> without_ways_out(const std::vector<BasicBlock>& blocks);

/// For each block of which at least two successors can reach a block-wide barrier, returns the
/// first block that lies on every path from it to the next such barrier; paths that leave the
/// function first do not matter. kExitBlock if there is none.
std::vector<int> meetings_before_barriers(const ptx::Function& function,
                                          const std::vector<BasicBlock>& blocks);

}  // namespace tessera::sim
