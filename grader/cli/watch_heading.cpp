#include "grader/cli/watch_heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/numbers.h"
#include "grader/report/causes.h"

namespace tessera {
namespace {

constexpr std::size_t kMostNames = 3;

/// Points rounded to a tenth.
std::string points(double value) {
  return short_number(std::round(value * 10) / 10);
}

bool compiles(const Record& record) {
  return std::ranges::none_of(record.items, [](const Item& item) {
    return std::ranges::any_of(item.findings, [](const Finding& finding) {
      return finding.severity == Severity::error &&
             about(finding.kind).shows_in == FindingFacts::Stage::source;
    });
  });
}

bool passes(const Record& record, const std::string& id) {
  return std::ranges::any_of(
      record.items, [&](const Item& item) { return item.id == id && item.status == Status::pass; });
}

/// "case 2", "global loads", "checks".
std::string name_of(const Item& item) {
  const std::string label = case_label(item);
  if (!label.empty()) return label;
  const auto metric = metric_of(item);
  return metric ? std::string(metric_words(*metric)) : item.id;
}

/// Names of the items that pass in `record` and not in `other`.
std::vector<std::string> only_in(const Record& record, const Record& other) {
  std::vector<std::string> names;
  for (const Item& item : record.items) {
    if (item.status == Status::pass && !passes(other, item.id)) names.push_back(name_of(item));
  }
  return names;
}

/// "; case 1 and global loads now pass", or "" for no names.
std::string changes_text(std::vector<std::string> all, const std::string& singular,
                         const std::string& plural) {
  if (all.empty()) return "";
  const std::string& verb = all.size() == 1 ? singular : plural;
  if (all.size() > kMostNames) {
    const std::size_t more = all.size() - kMostNames + 1;
    all.resize(kMostNames - 1);
    all.push_back(fmt::format("{} more", more));
  }
  std::string names = all.front();
  for (std::size_t i = 1; i < all.size(); ++i)
    names += (i + 1 == all.size() ? " and " : ", ") + all[i];
  return fmt::format("; {} {}", names, verb);
}

std::string changes(const Record& record, const Record& before) {
  if (!compiles(record)) return compiles(before) ? "; no longer compiles" : "";
  return changes_text(only_in(record, before), "now passes", "now pass") +
         changes_text(only_in(before, record), "no longer passes", "no longer pass");
}

}  // namespace

std::string watch_heading(const Record& record, const std::optional<Record>& before) {
  const std::string score = points(record.score);
  const std::string all = points(record.max_score - record.deferred);
  std::string text = record.lab + "  ";
  if (before && points(before->score) != score) text += points(before->score) + " -> ";
  text += fmt::format("{} of {}", score, all);
  if (record.untouched) return text + "; nothing written yet";
  if (!before) return compiles(record) ? text : text + "; does not compile";
  const std::string what = changes(record, *before);
  const bool same = what.empty() && points(before->score) == score;
  return text + (same ? ", as before" : what);
}

}  // namespace tessera
