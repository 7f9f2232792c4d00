#include "common/finding.h"

#include <algorithm>

namespace tessera {
namespace {

using Stage = FindingFacts::Stage;

constexpr FindingFacts kFindingFacts[] = {
#define TESSERA_FINDING_KIND(kind, ...) {__VA_ARGS__},
#include "common/finding_kinds.def"
#undef TESSERA_FINDING_KIND
};

}  // namespace

const FindingFacts& about(FindingKind kind) {
  return kFindingFacts[static_cast<std::size_t>(kind)];
}

std::string_view to_string(FindingKind kind) {
  return about(kind).word;
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
  const auto* found =
      std::ranges::find(kAllFindingKinds, word, [](auto kind) { return to_string(kind); });
  return found == kAllFindingKinds.end() ? std::nullopt : std::optional(*found);
}

void add_unreported_errors(std::vector<Finding>& findings, std::vector<Finding> more) {
  for (Finding& finding : more) {
    const bool reported = std::ranges::any_of(findings, [&](const Finding& known) {
      return known.severity == Severity::error && known.kind == finding.kind &&
             known.line == finding.line;
    });
    if (finding.severity == Severity::error && !reported) findings.push_back(std::move(finding));
  }
}

}  // namespace tessera
