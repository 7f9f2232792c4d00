#include "grader/judge/merge.h"

#include <fmt/format.h>

#include "common/wording.h"

namespace tessera {
namespace {

// How the simulator ends its message of a race.
constexpr std::string_view kNoWarpBarrier = "no __syncwarp() between";
constexpr std::string_view kNoBarrier = "no barrier between";

bool is_inside_a_warp(const Finding& finding) {
  return finding.kind == FindingKind::race && finding.message.ends_with(kNoWarpBarrier);
}

}  // namespace

std::string cause_of(const Finding& finding) {
  std::string message = finding.message;
  // A small case may leave all the work of a block to one of its warps.
  if (is_inside_a_warp(finding))
    message.replace(message.size() - kNoWarpBarrier.size(), kNoWarpBarrier.size(), kNoBarrier);
  return fmt::format("{}:{}:{}:{}", to_string(finding.kind), finding.file, finding.line,
                     Text(message).cause());
}

void join_finding(Finding& told, const Finding& finding) {
  const std::uint64_t count = told.count + finding.count;
  if (is_inside_a_warp(told) && finding.message.ends_with(kNoBarrier)) told = finding;
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
  const std::string_view what = about(finding.kind).if_hidden;
  told.message = fmt::format(
      "{} in a case that is not shown",
      what.empty() ? fmt::format("{} was found", to_string(finding.kind)) : std::string(what));
  told.hint =
      "the lab's page says what must work: try other shapes and data than those of the cases shown";
  return told;
}

}  // namespace tessera
