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
  // A small case may leave all the work of a block to one of its warps.
  std::ranges::replace(message.statements(), Statement{Phrase::race_no_warp_barrier},
                       Statement{Phrase::race_no_barrier});
  return fmt::format("{}:{}:{}:{}", to_string(finding.kind), finding.file, finding.line,
                     message.cause());
}

void join_finding(Finding& told, const Finding& finding) {
  const std::uint64_t count = told.count + finding.count;
  const bool in_warp_alone = says(told, Phrase::race_no_warp_barrier);
  if (in_warp_alone && says(finding, Phrase::race_no_barrier)) told = finding;
  told.count = count;
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
  Finding told;
  told.kind = finding.kind;
  told.severity = finding.severity;
  // Neither the line nor how often: a kernel can go wrong at a line for each extent, or count them
  // out.
  told.file = finding.file;
  told.count = 1;
  const Phrase what = about(finding.kind).if_hidden;
  const Name kind{std::string(to_string(finding.kind))};
  told.message = values_of(what) == 0 ? Text(what) : say(what, kind);
  told.hint = Phrase::hidden_hint;
  return told;
}

}  // namespace tessera
