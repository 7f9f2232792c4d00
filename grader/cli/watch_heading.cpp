#include "grader/cli/watch_heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/numbers.h"

namespace tessera {
namespace {

constexpr std::size_t kMostNames = 3;

/// Thirds of a point are told to a tenth.
std::string points(double value) {
  return short_number(std::round(value * 10) / 10);
}

bool compiles(const Record& record) {
  return std::ranges::none_of(record.items, [](const Item& item) {
    return std::ranges::any_of(item.findings, [](const Finding& finding) {
      return finding.severity == Severity::error &&
             (finding.kind == FindingKind::does_not_compile ||
              finding.kind == FindingKind::forbidden_include);
    });
  });
}

bool passes(const Record& record, const std::string& id) {
  return std::ranges::any_of(
      record.items, [&](const Item& item) { return item.id == id && item.status == Status::pass; });
}

/// Ids of the items that pass in `one` and not in `other`.
std::vector<std::string> only_in(const Record& one, const Record& other) {
  std::vector<std::string> ids;
  for (const Item& item : one.items) {
    if (item.status == Status::pass && !passes(other, item.id)) ids.push_back(item.id);
  }
  return ids;
}

/// "; checks and technique/1 now pass", or "" for no ids.
std::string told(std::vector<std::string> ids, const std::string& one, const std::string& many) {
  if (ids.empty()) return "";
  const std::string& verb = ids.size() == 1 ? one : many;
  if (ids.size() > kMostNames) {
    const std::size_t more = ids.size() - kMostNames + 1;
    ids.resize(kMostNames - 1);
    ids.push_back(fmt::format("{} more", more));
  }
  std::string names = ids.front();
  for (std::size_t i = 1; i < ids.size(); ++i)
    names += (i + 1 == ids.size() ? " and " : ", ") + ids[i];
  return fmt::format("; {} {}", names, verb);
}

std::string changes(const Record& record, const Record& before) {
  if (!compiles(record)) return compiles(before) ? "; no longer compiles" : "";
  return told(only_in(record, before), "now passes", "now pass") +
         told(only_in(before, record), "no longer passes", "no longer pass");
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
