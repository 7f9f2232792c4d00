// Slips that the source shows and for which a compiler reports nothing or only a consequence. They
// add findings to a source that fails or warns, and never refuse a source.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Whether a merge conflict's marker begins at this token of `code`: seven identical signs (<, = or
/// >) at the start of a line.
bool is_conflict_marker(const std::vector<Token>& code, std::size_t at);

/// The finding about a marker at `place`.
Finding conflict_finding(const Token& place, const std::string& file_name);

/// Explains a compiler's errors, which come first in `findings`. The finding about a merge
/// conflict's marker replaces all of them; so does a finding about a macro that ends in ";" or
/// begins with "=", if the first error is in a line that uses it. For a loop that ends with its own
/// ";" and a reference that has no variable to refer to, the words of the error are replaced.
void explain_errors(const Source& source, const std::string& file_name,
                    std::vector<Finding>& findings);

/// Warnings about code that compiles but cannot be intended: an `if` or a loop whose whole body is
/// ";", exchanged grid and block of launch(), a guard that keeps every thread from storing, a
/// reference that changes with another variable. Code inside an #if is left to the compiler.
std::vector<Finding> find_slips(const Source& source, const std::string& file_name);

}  // namespace tessera
