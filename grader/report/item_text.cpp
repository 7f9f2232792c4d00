#include "grader/report/item_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/finding_text.h"
#include "grader/report/points.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr TextOptions kOnPlatforms = {.color = false, .width = 80, .explain = false};

std::string findings_text(const Item& item, const Record& record) {
  std::string text;
  for (const Finding& finding : item.findings) {
    if (finding.severity == Severity::info) continue;
    text += finding_text(finding, "", {kSubmissionFile, record.source}, kOnPlatforms) + "\n";
  }
  return text;
}

std::string points_note(const Item& item) {
  const std::string points = short_number(rounded_points(item.max_points));
  if (item.status == Status::infra)
    return fmt::format(
        "The grader failed here, not you: these {} points are open until it is run again.\n\n",
        points);
  if (item.status == Status::review)
    return fmt::format(
        "The simulator cannot judge this: these {} points count as not won until a GPU or a person "
        "has judged it.\n\n",
        points);
  if (item.status == Status::deferred)
    return fmt::format("These {} points are neither won nor lost here.\n\n", points);
  return "";
}

}  // namespace

std::string item_text(const Item& item, const Record& record) {
  const bool has_error = std::ranges::any_of(
      item.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  std::string text = points_note(item) + findings_text(item, record);
  if (has_error) return text;
  if (!item.message.empty()) text += wrapped(printable(item.message.str()), "", kOnPlatforms.width);
  if (!item.hint.empty()) text += wrapped(printable(item.hint.str()), "hint: ", kOnPlatforms.width);
  return text;
}

}  // namespace tessera
