// results.json, by the specification of Gradescope's autograders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/numbers.h"
#include "grader/report/causes.h"
#include "grader/report/item_text.h"
#include "grader/report/made_with.h"
#include "grader/report/points.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"
#include "grader/report/terminal.h"
#include "grader/report/timed_item.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kColumns = 80;

/// The item as a test; without points and status if nothing was measured, which Gradescope shows as
/// neutral.
Json test_of(const Item& item, const Record& record, const std::string& number,
             const std::string& prefix, Visibility hidden_items) {
  Json test;
  if (!not_measured(item)) {
    test["score"] = rounded_points(item.points);
    test["max_score"] = rounded_points(item.max_points);
    test["status"] = item.status == Status::pass ? "passed" : "failed";
  }
  test["name"] = printable(fmt::format("{}{}{}", prefix, item_label(item),
                                       item.status == Status::pass || item.status == Status::fail
                                           ? ""
                                           : fmt::format(" ({})", to_string(item.status))));
  test["number"] = number;
  test["output"] = item_text(item, record);
  test["output_format"] = "text";
  test["visibility"] = to_string(item.hidden ? hidden_items : Visibility::visible);
  return test;
}

void add_times(const Record& record, const std::string& prefix, Json& leaderboard) {
  const Item* timed = timed_item(record);
  if (timed == nullptr) return;
  if (timed->metrics.contains(Metric::gflops)) {
    leaderboard.push_back(
        {{"name", prefix + "GFLOP/s"}, {"value", std::round(timed->metrics.at(Metric::gflops))}});
  }
  leaderboard.push_back({{"name", prefix + "Time (ms)"},
                         {"value", rounded_points(timed->metrics.at(Metric::time_ms))},
                         {"order", "asc"}});
}

std::string lab_heading(const Record& record) {
  const std::string details = fmt::format("{}, {}", record.title, made_with(record));
  std::string text = record.lab + "\n" + wrapped(printable(details), "", kColumns);
  if (record.untouched) text += "Nothing written yet: this is the skeleton.\n";
  return text;
}

/// Whether the grader failed on every point that could be won, so that there is no score.
bool nothing_graded(const Sums& sums) {
  return sums.infra > 0 && sums.measured <= 0;
}

/// What the grader failed on; "" if it did not. A score that the staff set is left as it is.
std::string failure_text(const std::vector<Record>& records, const Sums& sums,
                         const GradescopeOptions& options) {
  if (sums.infra <= 0) return "";
  std::ptrdiff_t failed = 0;
  for (const Record& record : records)
    failed += std::ranges::count(record.items, Status::infra, &Item::status);
  const std::string items = counted(static_cast<std::uint64_t>(failed), "item");
  std::string text = fmt::format("The grader failed in {}. That is not your fault.", items);
  if (!options.score && nothing_graded(sums)) {
    text =
        "The grader failed. That is not your fault: there is no score, and the staff have to "
        "run it again.";
  } else if (!options.score) {
    text = fmt::format(
        "Not a final mark: the grader failed in {}, and {} points count 0 until it is run again. "
        "That is not your fault; ask the staff for a rerun.",
        items, short_number(rounded_points(sums.infra)));
  }
  return wrapped(text, "", kColumns) + "\n";
}

std::string summary(const std::vector<Record>& records, const Sums& sums,
                    const GradescopeOptions& options) {
  std::string text = failure_text(records, sums, options);
  if (!options.note.empty()) text += printable(options.note) + "\n\n";
  for (const Record& record : records) text += lab_heading(record) + "\n";
  const auto say = [&](const std::string& sentence) { text += wrapped(sentence, "", kColumns); };
  const auto number = [](double points) { return short_number(rounded_points(points)); };
  if (sums.deferred > 0) {
    say(
        fmt::format("{} points are deferred: this machine cannot measure them. They are neither "
                    "won nor lost here.",
                    number(sums.deferred)));
  }
  if (sums.review > 0) {
    say(
        fmt::format("The simulator cannot judge {} points: they count as not won until a GPU or "
                    "the staff have judged them.",
                    number(sums.review)));
  }
  return text;
}

}  // namespace

std::string gradescope_report(const std::vector<Record>& records,
                              const GradescopeOptions& options) {
  const Sums sums = sums_of(records);
  const bool several = records.size() > 1;
  double seconds = 0;
  Json tests = Json::array();
  Json leaderboard = Json::array();
  for (std::size_t r = 0; r < records.size(); ++r) {
    const Record& record = records[r];
    const std::string prefix = several ? record.lab + ": " : "";
    for (std::size_t i = 0; i < record.items.size(); ++i) {
      tests.push_back(test_of(record.items[i], record, fmt::format("{}.{}", r + 1, i + 1), prefix,
                              options.hidden_items));
    }
    add_times(record, prefix, leaderboard);
    seconds += record.seconds;
  }
  Json json;
  if (options.score || !nothing_graded(sums))
    json["score"] = rounded_points(std::max(options.score.value_or(sums.won), 0.0));
  if (seconds > 0) json["execution_time"] = std::round(seconds);
  json["output"] = summary(records, sums, options);
  json["output_format"] = "text";
  json["test_output_format"] = "text";
  json["test_name_format"] = "text";
  json["visibility"] = "visible";
  json["stdout_visibility"] = "hidden";
  json["tests"] = std::move(tests);
  if (!leaderboard.empty()) json["leaderboard"] = std::move(leaderboard);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
