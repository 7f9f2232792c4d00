// Statements that compile and do nothing, which not every compiler reports.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Warnings in source order: a barrier or fence that is named but not called, `__syncthreads;`, and
/// a comparison whose result is not used, `C(row, column) == sum;`. Code inside an #if is left to
/// the compiler.
std::vector<Finding> find_statements_without_effect(const Source& source,
                                                    const std::string& file_name);

}  // namespace tessera
