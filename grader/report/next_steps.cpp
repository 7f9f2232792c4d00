#include "grader/report/next_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/advice.h"
#include "grader/report/causes.h"

namespace tessera {
namespace {

constexpr std::size_t kMost = 3;

std::uint64_t wasted(const LineAccess& access) {
  return access.passes > access.ideal ? access.passes - access.ideal : 0;
}

/// The access that wastes most.
const LineAccess* worst_line(const Record& record) {
  const CountedSource source = counted_source(record);
  const LineAccess* worst = nullptr;
  for (const LineAccess& access : record.lines) {
    if (advice(source, access).empty()) continue;
    if (worst == nullptr || wasted(access) > wasted(*worst)) worst = &access;
  }
  return worst;
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
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      const Finding& finding = causes_[i].finding;
      const bool is_finding = causes_[i].title.empty();
      if (!is_finding || finding.severity != Severity::error || causes_[i].after) continue;
      const std::string advice = (finding.hint.empty() ? finding.message : finding.hint).str();
      steps_.push_back({finding_name(finding), advice, finding.line, i});
    }
  }

  void add_items(std::string_view prefix) {
    for (const Item& item : record_.items) {
      const bool missed = item.status == Status::fail || item.status == Status::partial;
      if (!missed || !item.id.starts_with(prefix) || has_error(item)) continue;
      const std::string remedy = remedy_of(item, record_);
      const LineAccess* access = costliest_access(item, record_);
      steps_.push_back({worded_title(item), remedy.empty() ? item.message.str() : remedy,
                        access == nullptr ? 0 : access->line, std::nullopt});
    }
  }

  /// Whether the item has an error, for which add_errors() has a step.
  static bool has_error(const Item& item) {
    return std::ranges::any_of(
        item.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  }

  void add_costly_line() {
    if (const LineAccess* line = worst_line(record_)) {
      steps_.push_back({fmt::format("line {} costs no points, but time", line->line),
                        advice(counted_source(record_), *line), line->line, std::nullopt});
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
