#include "grader/report/next_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/annotated_source.h"

namespace tessera {
namespace {

constexpr std::size_t kMost = 3;

/// Earlier ones make later ones: a kernel that does not compile has no races, and a race makes
/// wrong results.
int rank_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::forbidden_include:
    case FindingKind::does_not_compile:
      return 0;
    case FindingKind::bad_launch:
      return 1;
    case FindingKind::wrong_result:
    case FindingKind::not_finite:
    case FindingKind::output_not_written:
      return 3;
    default:
      return 2;
  }
}

/// What the run showed explains what the comparison found.
constexpr int kCompared = 3;

std::uint64_t wasted(const LineAccess& access) {
  return access.passes > access.ideal ? access.passes - access.ideal : 0;
}

/// The line that wastes most among those that `wanted` accepts.
template <class Wanted>
const LineAccess* worst_line(const Record& record, const Wanted& wanted) {
  const LineAccess* worst = nullptr;
  for (const LineAccess& access : record.lines) {
    if (advice(access).empty() || !wanted(access)) continue;
    if (worst == nullptr || wasted(access) > wasted(*worst)) worst = &access;
  }
  return worst;
}

/// The worst line of the memory and the direction that a metric's name tells.
const LineAccess* line_of_metric(const Record& record, const std::string& metric) {
  const bool global = metric.starts_with("global_");
  const bool store = metric.find("_store_") != std::string::npos;
  if (!global && !metric.starts_with("shared_")) return nullptr;
  return worst_line(record, [&](const LineAccess& access) {
    return (access.memory == LineAccess::Memory::global) == global && access.store == store;
  });
}

class Steps {
 public:
  Steps(const Record& record, const std::vector<Cause>& causes)
      : record_(record), causes_(causes) {}

  std::vector<NextStep> take() {
    add_errors();
    add_items("technique/");
    add_items("performance/");
    if (steps_.empty()) add_costly_line();
    if (steps_.size() > kMost) steps_.resize(kMost);
    return std::move(steps_);
  }

 private:
  void add_errors() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      const bool told_by_finding = causes_[i].title.empty();
      if (told_by_finding && causes_[i].finding.severity == Severity::error) order.push_back(i);
    }
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return rank_of(causes_[i].finding.kind); });
    for (const std::size_t i : order) {
      const Finding& finding = causes_[i].finding;
      const bool explained = rank_of(finding.kind) == kCompared && !steps_.empty();
      if (explained) continue;
      const std::string& advice = finding.hint.empty() ? finding.message : finding.hint;
      if (repeats(finding, advice)) continue;
      const std::string where = finding.line > 0 ? fmt::format(" in line {}", finding.line) : "";
      steps_.push_back({std::string(to_string(finding.kind)) + where, advice, finding.line, i});
    }
  }

  /// Whether an earlier step says the same of another line: what cures one cures both.
  bool repeats(const Finding& finding, const std::string& advice) const {
    return std::ranges::any_of(steps_, [&](const NextStep& step) {
      return step.advice == advice && step.cause &&
             causes_[*step.cause].finding.kind == finding.kind;
    });
  }

  void add_items(std::string_view prefix) {
    for (const Item& item : record_.items) {
      const bool missed = item.status == Status::fail || item.status == Status::partial;
      if (!missed || !item.id.starts_with(prefix) || told(item)) continue;
      NextStep step{item.title, item.hint.empty() ? item.message : item.hint, 0, std::nullopt};
      const std::string metric = item.title.substr(0, item.title.find(' '));
      if (const LineAccess* line = line_of_metric(record_, metric)) {
        step.advice = advice(*line);
        step.line = line->line;
      }
      steps_.push_back(std::move(step));
    }
  }

  /// Whether one of the errors above is the item's.
  static bool told(const Item& item) {
    return std::ranges::any_of(
        item.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  }

  void add_costly_line() {
    if (const LineAccess* line = worst_line(record_, [](const LineAccess&) { return true; })) {
      steps_.push_back({fmt::format("line {} costs no points, but time", line->line), advice(*line),
                        line->line, std::nullopt});
    }
  }

  const Record& record_;
  const std::vector<Cause>& causes_;
  std::vector<NextStep> steps_;
};

}  // namespace

std::vector<NextStep> next_steps(const Record& record, const std::vector<Cause>& causes) {
  return Steps(record, causes).take();
}

}  // namespace tessera
