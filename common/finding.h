// A finding is one cause, reported once: what is wrong with a kernel, where, how often, and what to
// do.
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

/// The processes that can raise a kind; the grader itself raises the kinds that neither can.
inline constexpr unsigned kSimulator = 1;
inline constexpr unsigned kCard = 2;

/// A kind's row of the table.
struct FindingFacts {
  /// The stages of grading a kernel, in order: a mistake in an earlier stage is shown first.
  enum class Stage { source, launch, run, result };

  std::string_view word;  // in records and lab.yaml: "out-of-bounds"
  Phrase meaning{};
  Stage shows_in = Stage::run;
  unsigned raised_by = 0;       // kSimulator, kCard or both
  bool spoils_outputs = false;  // outputs may be wrong because of it
  bool asynchronous = false;    // a race with a copy or product that goes on by itself
  int repair = 9;               // sorts a run's findings: the lowest is shown first
  Phrase if_hidden = Phrase::hidden_finding;  // the whole message if the case is hidden
};

const FindingFacts& about(FindingKind kind);

enum class Severity { error, warning, info };

/// The kind's word.
std::string_view to_string(FindingKind kind);
std::string_view to_string(Severity severity);

/// The kind that `word` names; nothing if there is none.
std::optional<FindingKind> finding_kind(std::string_view word);

struct Finding {
  FindingKind kind = FindingKind::wrong_result;
  Severity severity = Severity::error;
  std::string file;  // the name that the student knows: "kernel.cu"
  int line = 0;      // 1-based; 0 if no source line is known
  int column = 0;    // 1-based; 0 if unknown
  Text message;      // what happened, with the numbers
  Text hint;         // what to do about it
  std::uint64_t count = 1;
  /// A concrete instance as ordered pairs: ("thread", "(3, 0, 0)"), ("element", "As[3][5]").
  std::vector<std::pair<std::string, std::string>> example;
};

/// Adds each error in `more`, unless `findings` has an error of the same kind in the same line.
void add_unreported_errors(std::vector<Finding>& findings, std::vector<Finding> more);

}  // namespace tessera
