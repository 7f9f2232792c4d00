// Finds host code in a kernel file without a compiler.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Findings about kernel launches and about functions defined at namespace or class scope without
/// __global__ or __device__. Functions that macros, conditional compilation or an earlier annotated
/// declaration may make device code are left to the compiler.
std::vector<Finding> find_host_code(const Source& source, const std::string& file_name);

/// The line of the innermost "{" that is never closed, or 0.
int unclosed_brace_line(const Source& source);

}  // namespace tessera
