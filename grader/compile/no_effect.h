// Statements that compile and do nothing, which not every compiler tells.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Warnings, in source order: a barrier or a fence that is named and not called, `__syncthreads;`,
/// and a comparison whose answer goes nowhere, `C(row, column) == sum;`. What stands under an #if
/// is left to the compiler.
std::vector<Finding> find_statements_without_effect(const Source& source,
                                                    const std::string& file_name);

}  // namespace tessera
