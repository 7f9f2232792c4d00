// Counters by source line.
#pragma once

#include <string>
#include <vector>

#include "common/line_profile.h"
#include "grader/simulator/exec.h"

namespace tessera::sim {

/// The line in `file` of an instruction: its own, or that of the call that inlined it, or the last
/// one before it; 0 where there is none. `source` is an index into the function's locations.
int source_line(const Module& module, const Function& function, std::uint32_t source,
                const std::string& file);

/// Adds requests, passes and the worst request (the first block's of those that are alike).
void add_count(AccessCount& to, const AccessCount& from);

/// What each memory instruction counted, over all workers.
std::vector<Site> sites_of_all(const std::vector<Worker>& workers);

/// By line of `file`; global before shared memory, loads before stores. Atomics are left out.
std::vector<LineAccess> collect_lines(const Module& module, const std::vector<Site>& sites,
                                      const Launch& launch, const std::string& file);

}  // namespace tessera::sim
