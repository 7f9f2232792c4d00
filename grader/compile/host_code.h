// Host code in a kernel file: what has no place there, found without a compiler.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Kernel launches, and functions defined at namespace or class scope without __global__ or
/// __device__. What macros, conditional compilation or an earlier annotated declaration may make
/// device code is left to the compiler.
std::vector<Finding> find_host_code(const Source& source, const std::string& file_name);

/// The line of the innermost "{" that is never closed, or 0.
int unclosed_brace_line(const Source& source);

}  // namespace tessera
