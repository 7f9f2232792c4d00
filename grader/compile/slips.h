// Slips of the pen that the source shows, for what a compiler says only the consequence of or
// nothing at all. They add words to what fails or warns, and never refuse a source.
#pragma once

#include <string>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// Whether a merge conflict's marker begins at this token of `code`: seven of one sign (<, =, >) at
/// the start of a line.
bool is_conflict_marker(const std::vector<Token>& code, std::size_t at);

/// What to say of a marker at `place`.
Finding conflict_finding(const Token& place, const std::string& file_name);

/// Explains a compiler's errors, which come first in `findings`. A merge conflict's marker stands
/// for all of them; so does a macro that ends in ";" or begins with "=", where the first error is
/// in a line that uses it. A loop that ends with its own ";" and a reference that has no variable
/// to refer to become the words of their error.
void explain_errors(const Source& source, const std::string& file_name,
                    std::vector<Finding>& findings);

/// Warnings of what compiles and cannot be meant: an `if` or a loop whose whole body is ";", grid
/// and block of launch() exchanged, a guard that keeps every thread from storing, a reference that
/// changes with another variable. What stands under an #if is left to the compiler.
std::vector<Finding> find_slips(const Source& source, const std::string& file_name);

}  // namespace tessera
