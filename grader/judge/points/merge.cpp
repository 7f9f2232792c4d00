#include "grader/judge/points/merge.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

bool says(const Finding& finding, Phrase phrase) {
  return std::ranges::count(finding.message.statements(), phrase, &Statement::phrase) != 0;
}

}  // namespace

std::string cause_of(const Finding& finding) {
  Text message = finding.message;
  // In a small case a single warp may do all the work of a block.
  std::ranges::replace(message.statements(), Statement{Phrase::race_no_warp_barrier},
                       Statement{Phrase::race_no_barrier});
  return fmt::format("{}:{}:{}:{}", to_string(finding.kind), finding.file, finding.line,
                     message.cause());
}

void join_finding(Finding& kept, const Finding& finding) {
  const std::uint64_t count = kept.count + finding.count;
  const bool in_warp_alone = says(kept, Phrase::race_no_warp_barrier);
  if (in_warp_alone && says(finding, Phrase::race_no_barrier)) kept = finding;
  kept.count = count;
}

void FindingMerger::add(const Finding& finding) {
  const auto [same, fresh] = at_.try_emplace(cause_of(finding), merged_.size());
  if (fresh) {
    merged_.push_back(finding);
  } else {
    join_finding(merged_[same->second], finding);
  }
}

Finding redacted(const Finding& finding) {
  Finding shown;
  shown.kind = finding.kind;
  shown.severity = finding.severity;
  // Neither the line nor the count: a kernel could fail at a line for each extent, or as often as
  // the extent says.
  shown.file = finding.file;
  shown.count = 1;
  const Phrase what = about(finding.kind).if_hidden;
  const Name kind{std::string(to_string(finding.kind))};
  shown.message = values_of(what) == 0 ? Text(what) : say(what, kind);
  shown.hint = Phrase::hidden_hint;
  return shown;
}

}  // namespace tessera
