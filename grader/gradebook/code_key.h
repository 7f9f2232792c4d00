// Kernels that differ only in blanks and comments are run once: when two are the same, and how the
// record of one becomes the record of the other.
#pragma once

#include <map>
#include <string>

#include "grader/compile/source.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// A hash of what the compiler sees of `source`, line for line: blanks within a line, comments and
/// lines without code do not count; line ends between code do, since findings name lines. Sources
/// with equal keys are the same program. A source whose layout may matter equals only a copy of the
/// same bytes: one that asks for its own text or place (__LINE__, assert, any __builtin), makes
/// strings or pastes names in macros (# and ##), includes more than tessera/, has line splices,
/// trigraphs, raw strings, control characters or names beyond ASCII, or cannot be split into
/// tokens.
std::string code_key(const Source& source);

/// Rises with every change of what code_key() returns: kept keys are computed anew, and code that
/// is graded again meets other inputs.
inline constexpr int kCodeKeyVersion = 3;

/// `record`, made of the source `from`, as it would be of `to`, which has the same code_key: lines,
/// columns, hash and quoted source are those of `to`. `path` is what the record calls the file.
Record copied_record(const Record& record, const Source& from, const Source& to,
                     const std::string& path);

}  // namespace tessera
