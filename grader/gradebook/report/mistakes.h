// Findings of a class -> mistakes that several people make.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// Two kernels make the same mistake where all of this is equal.
struct Mistake {
  FindingKind kind = FindingKind::wrong_result;
  Severity severity = Severity::error;
  std::string diagnosis = "";  // diagnosis_word() of the finding: "missing-last-phase"; or ""
  std::string pattern = "";    // pattern_of() its source line, or of the compiler's message; or ""

  friend auto operator<=>(const Mistake&, const Mistake&) = default;
};

/// A mistake where one kernel makes it.
struct MadeMistake {
  Mistake mistake;
  int line = 0;        // 0 where it has none
  std::string quoted;  // that line of the source without its indentation; ""
};

/// Mistakes of one record, each once, what makes others first; what may come from another
/// (Cause::after) is none. `known` are words that everybody
/// has from the lab: operands, extents.
std::vector<MadeMistake> mistakes_of(const Record& record, const std::vector<std::string>& known);

/// The words of line `line` (1-based) of `source`, where names that a student chose are a, b, c in
/// the order in which they come: "As[ty][tx] = A(row, k);" is "a[b][c] = A(d, e);" where A is
/// `known`. Words of CUDA C++ and numbers stay, comments and strings go. "" where there is no code.
std::string pattern_of(const Source& source, int line, const std::vector<std::string>& known);

/// A message without its values, of a compiler's words without what they quote: "use of undeclared
/// identifier '...'".
std::string pattern_of_message(Text message);

}  // namespace tessera
