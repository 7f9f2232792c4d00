// Kernels that differ in blanks and comments alone are run once: when two are the same, and how the
// record of one becomes the record of the other.
#pragma once

#include <map>
#include <string>

#include "grader/compile/source.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A hash of what the compiler sees of `source`, line for line: blanks within a line, comments and
/// lines without code do not count; where a line of code ends does, since findings name lines.
/// Equal keys make the same program. A source whose layout may count is the same as its own bytes
/// only: one that asks for its own text or place (__LINE__, assert, any __builtin), makes strings
/// or pastes names in macros (# and ##), includes more than tessera/, has line splices, trigraphs,
/// raw strings, control characters or names beyond ASCII, or cannot be told apart into tokens.
std::string code_key(const Source& source);

/// Rises with every change of what code_key() returns: keys that were kept are made anew, and code
/// that is graded again meets other inputs.
inline constexpr int kCodeKeyVersion = 3;

/// `record`, made of the source `from`, as it would be of `to`, which has the same code_key: lines,
/// columns, hash and quoted source are those of `to`. `path` is what the record calls the file.
Record retold(const Record& record, const Source& from, const Source& to, const std::string& path);

}  // namespace tessera
