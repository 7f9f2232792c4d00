#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/numbers.h"
#include "grader/report/annotated_source.h"
#include "grader/report/causes.h"
#include "grader/report/finding_text.h"
#include "grader/report/made_with.h"
#include "grader/report/pictures/cause_pictures.h"
#include "grader/report/points.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr int kStatusColumns = 10;
constexpr int kPointColumns = 15;
constexpr std::size_t kMaxCauses = 12;

Color status_color(Status status) {
  switch (status) {
    case Status::pass:
      return Color::green;
    case Status::partial:
      return Color::yellow;
    case Status::skipped:
    case Status::deferred:
      return Color::dim;
    case Status::review:
    case Status::infra:
      return Color::magenta;
    default:
      return Color::red;
  }
}

std::string heading(const Record& record, const TextOptions& options) {
  const std::string details = fmt::format("{}, {}", record.path, made_with(record));
  return painted(record.lab, Color::bold, options.color) + "  " + printable(record.title) + "\n" +
         wrapped(printable(details), "", options.width);
}

std::string points_columns(const Item& item) {
  return fmt::format("{} / {:>5}", not_measured(item) ? "-" : points_decimals(item.points),
                     points_decimals(item.max_points));
}

std::string row(const Item& item, const TextOptions& options) {
  const int title_columns = options.width - 2 - kStatusColumns - kPointColumns;
  const std::string lines = wrapped(printable(item_label(item)), "", title_columns);
  const std::size_t first_end = lines.find('\n');
  const std::string status(to_string(item.status));
  std::string text = "  " + painted(status, status_color(item.status), options.color);
  text.append(static_cast<std::size_t>(kStatusColumns) - status.size(), ' ');
  text += padded(lines.substr(0, first_end), title_columns);
  text += fmt::format("{:>{}}\n", points_columns(item), kPointColumns);
  const std::string indent(2 + kStatusColumns, ' ');
  for (std::size_t at = first_end + 1; at < lines.size(); at = lines.find('\n', at) + 1) {
    text += indent + lines.substr(at, lines.find('\n', at) - at) + "\n";
  }
  return text;
}

std::string cause_text(const Cause& cause, const Record& record, const TextOptions& options) {
  if (cause.title.empty()) {
    return finding_text(cause.finding, where_text(cause), {kSubmissionFile, record.source},
                        options);
  }
  const std::string status(to_string(cause.status));
  std::string text = "  " + painted(status, status_color(cause.status), options.color) + "  " +
                     printable(cause.title) + "\n";
  text += wrapped(printable(cause.finding.message.str()), "    ", options.width);
  if (!cause.finding.hint.empty()) {
    text += wrapped(printable(cause.finding.hint.str()), "    hint: ", options.width);
  }
  return text;
}

/// "  skipped: counters and times wait until every case passes"
std::string reasons_text(const Record& record, Status status, const TextOptions& options) {
  const std::string text = reasons(record, status);
  if (text.empty()) return "";
  return wrapped(printable(text), fmt::format("  {}: ", to_string(status)), options.width);
}

std::string total(const std::string& name, const std::vector<Record>& records,
                  const TextOptions& options) {
  const Sums sums = sums_of(records);
  const bool all = sums.all_won();
  std::string points =
      fmt::format("{} / {} points", points_decimals(sums.won), points_decimals(sums.measured));
  std::string text = painted(name, Color::bold, options.color) + "  " +
                     painted(points, all ? Color::green : Color::yellow, options.color);
  if (sums.deferred > 0)
    text += fmt::format(", {} deferred (need a GPU)", points_decimals(sums.deferred));
  if (sums.review > 0)
    text += fmt::format(", {} of them need a GPU or a person to judge them",
                        points_decimals(sums.review));
  if (sums.infra > 0)
    text += fmt::format(", {} not graded (the grader's fault)", points_decimals(sums.infra));
  return text + "\n";
}

std::string untouched_page(const Record& record, const TextOptions& options) {
  if (options.one_of_many) {
    return painted(record.lab, Color::bold, options.color) + "  " +
           printable(fmt::format("nothing written yet: labs/{}/README.md", record.lab)) + "\n";
  }
  const std::string number = record.lab.substr(0, record.lab.find('-'));
  const std::string command = (options.makefile ? "make grade LAB=" : "tessera grade ") + number;
  std::string text = heading(record, options) + "\n";
  text += wrapped(printable(fmt::format("Nothing written yet: open labs/{}/README.md, fill in {}, "
                                        "then `{}`.",
                                        record.lab, record.path, command)),
                  "  ", options.width);
  return text + "\n" + total(record.lab, {record}, options);
}

std::string explanation(const Record& record, const TextOptions& options) {
  const std::string page = annotated_source(counted_source(record), options);
  if (page.empty()) return "\n  no case ran to its end, so nothing was counted\n";
  return "\n  " + fmt::format("{}, the largest case:\n", kSubmissionFile) + page;
}

/// Names the pages of the lab that explain what was found.
std::string pages_text(const Record& record, const TextOptions& options) {
  const bool found = std::ranges::any_of(record.items, [](const Item& item) {
    return std::ranges::any_of(
        item.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  });
  if (!found) return "";
  return "\n" + wrapped(printable(fmt::format("labs/{}/README.md#what-a-finding-means, "
                                              "labs/GLOSSARY.md",
                                              record.lab)),
                        "  what these mean: ", options.width);
}

}  // namespace

std::string causes_text(const Record& record, const TextOptions& options) {
  const std::vector<Cause> causes = causes_of(record);
  CausePictures pictures(record, options);
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMaxCauses); ++i) {
    text += "\n" + cause_text(causes[i], record, options) + pictures.of(causes[i]);
  }
  if (causes.size() > kMaxCauses) {
    text += fmt::format("\n  and {} more; repair these first, or see all with --json\n",
                        causes.size() - kMaxCauses);
  }
  return text;
}

std::string text_report(const Record& record, const TextOptions& options) {
  if (record.untouched) return untouched_page(record, options);
  std::string text = heading(record, options) + "\n";
  const std::optional<Item> all = item_of_all(record);
  if (all) {
    text += row(*all, options);
  } else {
    for (const Item& item : record.items) text += row(item, options);
  }
  text += causes_text(record, options);
  if (!all) text += pages_text(record, options);
  if (options.explain) text += explanation(record, options);
  const std::string why = all ? ""
                              : reasons_text(record, Status::skipped, options) +
                                    reasons_text(record, Status::deferred, options);
  if (!why.empty()) text += "\n" + why;
  return text + "\n" + total(record.lab, {record}, options);
}

std::string text_total(const std::vector<Record>& records, const TextOptions& options) {
  return total(counted(records.size(), "lab"), records, options);
}

}  // namespace tessera
