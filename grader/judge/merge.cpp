#include "grader/judge/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tessera {
namespace {

bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Without what stands in parentheses, and the blank before it.
std::string without_parentheses(const std::string& text) {
  std::string result;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') {
      if (depth++ == 0 && result.ends_with(' ')) result.pop_back();
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (depth == 0) {
      result += c;
    }
  }
  return result;
}

/// "C[3][5] is 1,024.5" and "C[3] is 0" -> "C[#] is #"
std::string without_numbers(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(text[i])) {
      result += text[i++];
      continue;
    }
    result += '#';
    const auto continues = [&](std::size_t at) {
      const bool separator = text[at] == ',' || text[at] == '.';
      return digit(text[at]) || (separator && at + 1 < text.size() && digit(text[at + 1]));
    };
    while (i < text.size() && continues(i)) ++i;
    if (text.compare(i, 1, "]") == 0 && result.ends_with("[#][#")) result.erase(result.size() - 3);
  }
  return result;
}

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
                     without_numbers(without_parentheses(message)));
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
