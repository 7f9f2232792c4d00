#include "common/finding.h"

#include <algorithm>
#include <array>

namespace tessera {
namespace {

struct Word {
  FindingKind kind;
  std::string_view word;
};

constexpr std::array kWords = {
    Word{FindingKind::out_of_bounds, "out-of-bounds"},
    Word{FindingKind::misaligned, "misaligned"},
    Word{FindingKind::race, "race"},
    Word{FindingKind::uninitialized_read, "uninitialized-read"},
    Word{FindingKind::divergent_barrier, "divergent-barrier"},
    Word{FindingKind::barrier_deadlock, "barrier-deadlock"},
    Word{FindingKind::input_modified, "input-modified"},
    Word{FindingKind::output_not_written, "output-not-written"},
    Word{FindingKind::wrong_result, "wrong-result"},
    Word{FindingKind::not_finite, "not-finite"},
    Word{FindingKind::bad_launch, "bad-launch"},
    Word{FindingKind::step_limit, "step-limit"},
    Word{FindingKind::trap, "trap"},
    Word{FindingKind::read_only_write, "read-only-write"},
    Word{FindingKind::does_not_compile, "does-not-compile"},
    Word{FindingKind::forbidden_include, "forbidden-include"},
    Word{FindingKind::unsupported_instruction, "unsupported-instruction"},
    Word{FindingKind::compiler_warning, "compiler-warning"},
    Word{FindingKind::grader_crash, "grader-crash"},
};

constexpr bool in_enum_order() {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (static_cast<std::size_t>(kWords[i].kind) != i) return false;
  }
  return true;
}
static_assert(in_enum_order(), "to_string indexes kWords by the enumerator");

}  // namespace

std::string_view to_string(FindingKind kind) {
  return kWords.at(static_cast<std::size_t>(kind)).word;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      break;
  }
  return "info";
}

std::optional<FindingKind> finding_kind(std::string_view word) {
  const auto found = std::ranges::find(kWords, word, &Word::word);
  if (found == kWords.end()) return std::nullopt;
  return found->kind;
}

const std::vector<FindingKind>& all_finding_kinds() {
  static const std::vector<FindingKind> kinds = [] {
    std::vector<FindingKind> all;
    for (const Word& word : kWords) all.push_back(word.kind);
    return all;
  }();
  return kinds;
}

void add_untold_errors(std::vector<Finding>& findings, std::vector<Finding> more) {
  for (Finding& finding : more) {
    const bool told = std::ranges::any_of(findings, [&](const Finding& known) {
      return known.severity == Severity::error && known.kind == finding.kind &&
             known.line == finding.line;
    });
    if (finding.severity == Severity::error && !told) findings.push_back(std::move(finding));
  }
}

}  // namespace tessera
