// Shared variables that are read but never written. LLVM assumes any value for such a variable and
// removes it, so that the simulator could not report the reads.
#pragma once

#include <string>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// Whether each `__shared__` variable that `program` declares is in its PTX. A variable without any
/// use may be missing too.
bool keeps_shared_variables(std::string_view ptx, const Source& program);

/// LLVM's `text`, not yet optimized, with every shared variable marked as possibly written before
/// by others.
std::string with_kept_shared_variables(std::string_view text);

}  // namespace tessera
