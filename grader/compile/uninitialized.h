// Local variables that are read before they have a value, as far as the source alone shows it.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Warnings in source order: `float sum;` whose first use reads it, as `sum += x` does. Only
/// certain cases: a variable whose address is taken, that is passed to a function, or that gets its
/// value further down in the same loop is left to the compiler.
std::vector<Finding> find_uninitialized(const Source& source, const std::string& file_name);

}  // namespace tessera
