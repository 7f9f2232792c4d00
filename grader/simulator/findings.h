// Brings together what the workers noted: one finding a cause, told in the student's lines.
#pragma once

#include <string>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/lines.h"

namespace tessera::sim {

/// Findings of all workers, errors first, then by what to repair first. Notes of one kind, line and
/// subject are one finding whose example is the lowest block's; races that one missing barrier
/// explains are one finding.
std::vector<Finding> collect_findings(const Module& module, const std::vector<Worker>& workers,
                                      const SourceLines& source);

}  // namespace tessera::sim
