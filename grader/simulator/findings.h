// Merges the workers' notes into findings: one for each cause, with lines of the student's source.
#pragma once

#include <string>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/lines.h"

namespace tessera::sim {

/// Returns the findings of all workers: errors first, then in the order in which to repair them.
/// Notes of the same kind, line and subject become one finding, with the example of the lowest
/// block. Races that one missing barrier explains become one finding.
std::vector<Finding> collect_findings(const Module& module, const std::vector<Worker>& workers,
                                      const SourceLines& source);

}  // namespace tessera::sim
