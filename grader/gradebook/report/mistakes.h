// Turns findings into mistakes that can be compared over a class.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/judge/points/record.h"

namespace tessera {

/// Two kernels make the same mistake if all of this is equal.
struct Mistake {
  FindingKind kind = FindingKind::wrong_result;
  Severity severity = Severity::error;
  std::string diagnosis = "";  // diagnosis_word() of the finding: "missing-last-phase"; or ""
  std::string pattern = "";    // pattern_of() its source line, or of the compiler's message; or ""

  friend auto operator<=>(const Mistake&, const Mistake&) = default;
};

/// A mistake and the place where one kernel makes it.
struct MadeMistake {
  Mistake mistake;
  int line = 0;        // 0 if it has none
  std::string quoted;  // that line of the source without its indentation, or ""
};

/// The mistakes of one record, each once, causes before their consequences; a finding that may
/// follow from another (Cause::after) is no mistake. `known` are words that all kernels have from
/// the lab: operands, extents.
std::vector<MadeMistake> mistakes_of(const Record& record, const std::vector<std::string>& known);

/// The words of line `line` (1-based) of `source`, with the names that a student chose replaced by
/// a, b, c in order of appearance: "As[ty][tx] = A(row, k);" becomes "a[b][c] = A(d, e);" if A is
/// `known`. Words of CUDA C++ and numbers stay, comments and strings go. "" if there is no code.
std::string pattern_of(const Source& source, int line, const std::vector<std::string>& known);

/// A message without its values, and a compiler's message without what it quotes: "use of
/// undeclared identifier '...'".
std::string pattern_of_message(Text message);

}  // namespace tessera
