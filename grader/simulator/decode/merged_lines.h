// The lines from which an instruction can come if the compiler names no line for it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// For each instruction with a merged location, by its index in the body, returns the lines, file
/// by file, between the branch from which the paths to it start and the place where the paths from
/// it meet. A compiler merges what the sides of one branch have in common.
std::map<std::uint32_t, std::map<int, LineRange>> merged_ranges(
    const ptx::Function& function, const std::vector<BasicBlock>& blocks);

}  // namespace tessera::sim
