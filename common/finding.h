// A finding is one cause, said once: what is wrong with a kernel, where, how often, and what to do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/wording.h"

namespace tessera {

enum class FindingKind {
#define TESSERA_FINDING_KIND(kind, ...) kind,
#include "common/finding_kinds.def"
#undef TESSERA_FINDING_KIND
};

/// Every kind, in the order of the table.
inline constexpr std::array kAllFindingKinds = {
#define TESSERA_FINDING_KIND(kind, ...) FindingKind::kind,
#include "common/finding_kinds.def"
#undef TESSERA_FINDING_KIND
};

/// What the processes that execute a kernel may raise; the grader itself raises the other kinds.
inline constexpr unsigned kSimulator = 1;
inline constexpr unsigned kCard = 2;

/// A kind's row of the table.
struct FindingFacts {
  /// What must go well before the next: a mistake in an earlier stage is shown first.
  enum class Stage { source, launch, run, result };

  std::string_view word;  // in records and lab.yaml: "out-of-bounds"
  Stage shows_in = Stage::run;
  unsigned raised_by = 0;                     // kSimulator, kCard or both
  bool spoils_outputs = false;                // outputs may be wrong because of it
  int repair = 9;                             // the order in which to repair what one run shows
  Phrase if_hidden = Phrase::hidden_finding;  // all that a hidden case says
};

const FindingFacts& about(FindingKind kind);

enum class Severity { error, warning, info };

/// The kind's word.
std::string_view to_string(FindingKind kind);
std::string_view to_string(Severity severity);

/// The kind that `word` names, or nothing.
std::optional<FindingKind> finding_kind(std::string_view word);

struct Finding {
  FindingKind kind = FindingKind::wrong_result;
  Severity severity = Severity::error;
  std::string file;  // as the student knows it: "kernel.cu"
  int line = 0;      // 1-based; 0 where no source line is known
  int column = 0;    // 1-based; 0 where unknown
  Text message;      // what happened, with the numbers
  Text hint;         // what to do about it
  std::uint64_t count = 1;
  /// One concrete instance, as ordered pairs: ("thread", "(3, 0, 0)"), ("element", "As[3][5]").
  std::vector<std::pair<std::string, std::string>> example;
};

/// Adds those of `more` that are errors and of whose kind and line none is among `findings`.
void add_untold_errors(std::vector<Finding>& findings, std::vector<Finding> more);

}  // namespace tessera
