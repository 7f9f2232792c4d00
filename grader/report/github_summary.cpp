#include <fmt/format.h>

#include <array>
#include <set>

#include "common/numbers.h"
#include "grader/report/causes.h"
#include "grader/report/github.h"
#include "grader/report/markdown.h"
#include "grader/report/points.h"
#include "grader/report/report.h"
#include "grader/report/sums.h"

namespace tessera {
namespace {

/// GitHub drops a summary of more than 1 MiB.
constexpr std::size_t kMaxBytes = 900'000;
constexpr TextOptions kPlain = {.color = false, .width = 100, .explain = false};

struct StatusWord {
  Status status;
  const char* meaning;
};

/// In the order of the explanations; pass and fail need none.
constexpr std::array kStatusWords = {
    StatusWord{Status::partial, "some of the item's points"},
    StatusWord{Status::error, "the kernel does not compile, or traps"},
    StatusWord{Status::timeout, "it runs without end"},
    StatusWord{Status::skipped, "what the item depends on failed"},
    StatusWord{Status::deferred,
               "this machine cannot measure it; the points are neither won nor lost"},
    StatusWord{Status::review,
               "the simulator cannot judge this kernel: 0 points until a GPU or a person has "
               "judged it"},
    StatusWord{Status::infra,
               "the grader failed, not you: these points are open until it is run again"},
};

std::string points_number(double points) {
  return short_number(rounded_points(points));
}

std::string sums_text(const Sums& sums) {
  std::string text =
      fmt::format("{} of {} points", points_number(sums.won), points_number(sums.measured));
  if (sums.deferred > 0) text += fmt::format(", {} deferred", points_number(sums.deferred));
  if (sums.review > 0)
    text += fmt::format(", {} of them need a GPU or a person to judge them",
                        points_number(sums.review));
  if (sums.infra > 0)
    text += fmt::format(", {} not graded (the grader's fault)", points_number(sums.infra));
  return text;
}

std::string status_text(const Item& item) {
  const std::string word(to_string(item.status));
  const bool lost = !not_measured(item) && item.points < item.max_points;
  return lost ? "**" + word + "**" : word;
}

std::string row(const Item& item) {
  const std::string won = not_measured(item) ? "-" : points_number(item.points);
  return fmt::format("| {} | {} | {} / {} |\n", status_text(item), markdown_text(item_label(item)),
                     won, points_number(item.max_points));
}

std::string table(const Record& record) {
  std::string text = "| status | item | points |\n|---|---|---:|\n";
  if (const auto all = item_of_all(record)) return text + row(*all) + "\n";
  for (const Item& item : record.items) text += row(item);
  return text + "\n";
}

std::string causes(const Record& record) {
  const std::string text = causes_text(record, kPlain);
  if (text.empty()) return "";
  const std::string number_of_lab = record.lab.substr(0, record.lab.find('-'));
  return markdown_block(
             text.substr(1) +
             fmt::format("\n  the same inputs again: make grade LAB={} ARGS='--seed {}'\n",
                         number_of_lab, record.seed)) +
         "\n";
}

std::string summary_heading(const Record& record) {
  return fmt::format("### {}: {}\n\n{}\n\n", markdown_text(record.lab), markdown_text(record.title),
                     sums_text(sums_of(record.items)));
}

std::string section(const Record& record) {
  if (record.untouched) {
    return summary_heading(record) + "Nothing written yet: open labs/" + markdown_text(record.lab) +
           "/README.md.\n\n";
  }
  return summary_heading(record) + table(record) + causes(record);
}

std::string words(const std::vector<Record>& records) {
  std::set<Status> used;
  for (const Record& record : records) {
    if (record.untouched) continue;
    for (const Item& item : record.items) used.insert(item.status);
  }
  std::string text;
  for (const StatusWord& word : kStatusWords) {
    if (used.contains(word.status))
      text += fmt::format("- {}: {}\n", to_string(word.status), word.meaning);
  }
  return text;
}

}  // namespace

std::string github_summary(const std::vector<Record>& records) {
  std::string text = "## " + sums_text(sums_of(records)) + "\n\n";
  const std::string meanings = words(records);
  for (const Record& record : records) {
    const std::string whole = section(record);
    const bool fits = text.size() + whole.size() + meanings.size() < kMaxBytes;
    text += fits ? whole : summary_heading(record) + "There was no room for more here.\n\n";
  }
  return text + meanings;
}

}  // namespace tessera
