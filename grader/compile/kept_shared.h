// Reads of shared variables that nothing writes. LLVM takes what such a variable holds for whatever
// suits it and leaves the variable out, so that nobody would be told of the reads.
#pragma once

#include <string>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// Whether each `__shared__` variable that `program` declares is in its PTX. One that is not may
/// have no use at all.
bool keeps_shared_variables(std::string_view ptx, const Source& program);

/// `text`, LLVM's before anything is optimized, with every shared variable as one that others may
/// have written before.
std::string with_kept_shared_variables(std::string_view text);

}  // namespace tessera
