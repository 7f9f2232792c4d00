// results.json, by the specification of Gradescope's autograders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "grader/judge/numbers.h"
#include "grader/report/causes.h"
#include "grader/report/finding_text.h"
#include "grader/report/points.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

constexpr TextOptions kPlain = {.color = false, .width = 80, .explain = false};

/// Nothing where the grader's failures left nothing to judge.
std::optional<double> score_of(const Sums& sums) {
  if (sums.infra <= 0) return sums.won;
  if (sums.measured <= 0) return std::nullopt;
  return sums.won * (sums.measured + sums.infra) / sums.measured;
}

std::string findings_text(const Item& item, const Record& record) {
  std::string text;
  for (const Finding& finding : item.findings) {
    if (finding.severity == Severity::info) continue;
    text += finding_text(finding, "", {"kernel.cu", record.source}, kPlain) + "\n";
  }
  return text;
}

std::string points_note(const Item& item) {
  const std::string points = short_number(rounded_points(item.max_points));
  if (item.status == Status::infra)
    return fmt::format("The grader failed here, not you: these {} points cost you nothing.\n\n",
                       points);
  if (item.status == Status::deferred)
    return fmt::format("These {} points are neither won nor lost here.\n\n", points);
  return "";
}

std::string output_of(const Item& item, const Record& record) {
  const bool told = std::ranges::any_of(
      item.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  std::string text = points_note(item) + findings_text(item, record);
  if (told) return text;
  if (!item.message.empty()) text += wrapped(printable(item.message), "", kPlain.width);
  if (!item.hint.empty()) text += wrapped(printable(item.hint), "hint: ", kPlain.width);
  return text;
}

/// Without points and status where nothing was measured: Gradescope shows such a test as neutral.
Json test_of(const Item& item, const Record& record, const std::string& number,
             const std::string& prefix) {
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
  test["output"] = output_of(item, record);
  test["output_format"] = "text";
  test["visibility"] = "visible";
  return test;
}

bool every_case_passed(const Record& record) {
  return std::ranges::all_of(record.items, [](const Item& item) {
    return !item.id.starts_with("correctness/") || item.status == Status::pass;
  });
}

/// The first measured time; a modelled one is no result to be proud of.
void add_times(const Record& record, const std::string& prefix, Json& leaderboard) {
  if (!every_case_passed(record)) return;
  for (const Item& item : record.items) {
    if (not_measured(item) || !item.metrics.contains("time_ms")) continue;
    if (item.metrics.contains("gflops")) {
      leaderboard.push_back(
          {{"name", prefix + "GFLOP/s"}, {"value", std::round(item.metrics.at("gflops"))}});
    }
    leaderboard.push_back({{"name", prefix + "Time (ms)"},
                           {"value", rounded_points(item.metrics.at("time_ms"))},
                           {"order", "asc"}});
    return;
  }
}

std::string heading(const Record& record) {
  const std::string details =
      fmt::format("{}, {}, {}, seed {}", record.title, record.device, record.compiler, record.seed);
  std::string text = record.lab + "\n" + wrapped(printable(details), "", kPlain.width);
  if (record.untouched) text += "Nothing written yet: this is the skeleton.\n";
  return text;
}

std::string summary(const std::vector<Record>& records, const Sums& sums,
                    const GradescopeOptions& options) {
  std::string text = options.note.empty() ? "" : printable(options.note) + "\n\n";
  for (const Record& record : records) text += heading(record) + "\n";
  const auto say = [&](const std::string& sentence) {
    text += wrapped(sentence, "", kPlain.width);
  };
  const auto number = [](double points) { return short_number(rounded_points(points)); };
  if (sums.deferred > 0) {
    say(
        fmt::format("{} points are deferred: this machine cannot measure them. They are neither "
                    "won nor lost here.",
                    number(sums.deferred)));
  }
  if (sums.infra > 0 && options.score) {
    say(fmt::format("The grader failed on {} points. That is not your fault.", number(sums.infra)));
  } else if (sums.infra > 0 && sums.measured > 0) {
    say(
        fmt::format("The grader failed on {} of {} points. That is not your fault and costs "
                    "nothing: the score is {} of {} points, scaled to {}.",
                    number(sums.infra), number(sums.measured + sums.infra), number(sums.won),
                    number(sums.measured), number(sums.measured + sums.infra)));
  } else if (sums.infra > 0) {
    say("The grader failed. That is not your fault and costs nothing: there is no score, and the "
        "staff have to run it again.");
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
      tests.push_back(test_of(record.items[i], record, fmt::format("{}.{}", r + 1, i + 1), prefix));
    }
    add_times(record, prefix, leaderboard);
    seconds += record.seconds;
  }
  Json json;
  const std::optional<double> score = options.score ? options.score : score_of(sums);
  if (score) json["score"] = rounded_points(std::max(*score, 0.0));
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
