#include "grader/judge/weigh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grader/judge/merge.h"
#include "grader/judge/technique.h"

namespace tessera {
namespace {

constexpr const char* kNotAllPass = "counters and times wait until every case passes";
constexpr const char* kNoPass = "the checks wait until a case passes";
constexpr const char* kUnchecked =
    "only the simulator looks at every access, and not all cases ran there";

bool forbidden(const Lab& lab, const Finding& finding) {
  return finding.severity == Severity::error && std::ranges::count(lab.forbid, finding.kind) > 0;
}

Item correctness_item(const Lab& lab, std::size_t index, int hidden_before) {
  const Case& one = lab.cases[index];
  Item item;
  item.id = fmt::format("correctness/{}", index + 1);
  item.title = one.hidden ? fmt::format("hidden case {}", hidden_before + 1) : lab.case_title(one);
  item.max_points = lab.correctness_points / static_cast<double>(lab.cases.size());
  return item;
}

std::vector<Item> correctness_items(const Lab& lab) {
  std::vector<Item> items;
  int hidden = 0;
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    items.push_back(correctness_item(lab, i, hidden));
    hidden += lab.cases[i].hidden ? 1 : 0;
  }
  return items;
}

std::vector<Finding> told_findings(const Case& one, const std::vector<Finding>& findings) {
  if (!one.hidden) return findings;
  std::vector<Finding> told;
  for (const Finding& finding : findings) merge_into(told, redacted(finding));
  return told;
}

/// What a hidden case says of its failure: the kind, from the first finding that can fail it.
void tell_hidden(const CaseOutcome& outcome, Item& item) {
  if (outcome.status == Status::pass || outcome.findings.empty()) return;
  const auto reason = std::ranges::find(outcome.findings, outcome.message, &Finding::message);
  const Finding told =
      redacted(reason == outcome.findings.end() ? outcome.findings.front() : *reason);
  item.message = told.message;
  item.hint = told.hint;
}

void fill_correctness(const Case& one, const CaseOutcome& outcome, Item& item) {
  item.status = outcome.status;
  item.seconds = outcome.seconds;
  item.steps = outcome.steps;
  item.points = outcome.status == Status::pass ? item.max_points : 0;
  item.findings = told_findings(one, outcome.findings);
  if (one.hidden) {
    tell_hidden(outcome, item);
  } else {
    item.message = outcome.message;
    item.hint = outcome.hint;
    item.metrics = outcome.metrics;
    item.map = outcome.map;
  }
}

/// Technique and performance wait for all correctness cases: pass where all passed, else why not.
Status gate(const std::vector<Item>& correctness) {
  Status worst = Status::pass;
  for (const Item& item : correctness) {
    if (item.status == Status::pass) continue;
    if (item.status != Status::infra) return Status::skipped;
    worst = Status::infra;
  }
  return worst;
}

std::string forbid_title(const Lab& lab) {
  std::vector<std::string> words;
  for (const FindingKind kind : lab.forbid) words.emplace_back(to_string(kind));
  return fmt::format("no {}", fmt::join(words, ", "));
}

/// Findings of all cases that the lab forbids, one a cause. A hidden case adds to a cause that a
/// visible one shows, and is told on its own only where none does.
std::vector<Finding> forbidden_findings(const Lab& lab, const std::vector<Item>& correctness) {
  std::vector<Finding> merged;
  for (std::size_t i = 0; i < correctness.size(); ++i) {
    for (const Finding& finding : correctness[i].findings) {
      if (!forbidden(lab, finding)) continue;
      const auto same_place = std::ranges::find_if(merged, [&](const Finding& other) {
        return other.kind == finding.kind && other.line == finding.line;
      });
      if (lab.cases[i].hidden && same_place != merged.end()) {
        same_place->count += finding.count;
      } else {
        merge_into(merged, finding);
      }
    }
  }
  return merged;
}

std::string forbidden_message(const std::vector<Finding>& findings) {
  std::vector<std::string> places;
  for (const Finding& finding : findings) {
    const std::string kind(to_string(finding.kind));
    const std::string place =
        finding.line > 0 ? fmt::format("{} in line {}", kind, finding.line) : kind;
    if (std::ranges::count(places, place) == 0) places.push_back(place);
  }
  return fmt::format("found: {}", fmt::join(places, ", "));
}

bool has_checks(const Lab& lab) {
  return !lab.forbid.empty();
}

/// `checked`: the simulator has looked at all cases. Otherwise an instruction that it lacks would
/// win what nobody has looked at.
Item checks_item(const Lab& lab, const std::vector<Item>& correctness, Status gate_status,
                 bool checked) {
  Item item;
  item.id = "checks";
  item.title = forbid_title(lab);
  item.max_points = lab.checks_points;
  item.findings = forbidden_findings(lab, correctness);
  const bool any_pass = std::ranges::count(correctness, Status::pass, &Item::status) > 0;
  if (!item.findings.empty()) {
    item.status = Status::fail;
    item.message = forbidden_message(item.findings);
  } else if (any_pass && !checked) {
    item.status = Status::deferred;
    item.message = kUnchecked;
  } else if (any_pass) {
    item.status = Status::pass;
    item.points = item.max_points;
  } else {
    item.status = gate_status == Status::infra ? Status::infra : Status::skipped;
    item.message = kNoPass;
  }
  return item;
}

/// With the ends that the title tells; what measures the item sets those of its own device.
Goal goal_of(const Threshold& threshold) {
  Goal goal;
  goal.metric = threshold.metric;
  goal.over = threshold.over;
  if (!threshold.range) goal.device = threshold.devices.begin()->first;
  const Threshold::Range& range =
      threshold.range ? *threshold.range : threshold.devices.begin()->second;
  goal.zero = range.zero;
  goal.full = range.full;
  return goal;
}

std::string threshold_title(const Threshold& threshold) {
  std::string title = threshold.metric;
  if (!threshold.over.empty()) title += " over " + threshold.over;
  if (threshold.range) return title + fmt::format(", all points at {:g}", threshold.range->full);
  const auto& [device, range] = *threshold.devices.begin();
  return title + fmt::format(" on {}, all points at {:g}", device, range.full);
}

/// What an item waits for until something has measured it.
std::string needs(const Threshold& threshold) {
  const std::string what = threshold.is_modelled() ? "--device" : "GPU";
  if (threshold.range) return "needs a " + what;
  return fmt::format("needs the {} {}", what, threshold.devices.begin()->first);
}

Item performance_item(const Threshold& threshold, std::size_t number, Status gate_status) {
  Item item;
  item.id = fmt::format("performance/{}", number);
  item.title = threshold_title(threshold);
  item.goal = goal_of(threshold);
  item.max_points = threshold.points;
  item.status = gate_status == Status::pass ? Status::deferred : gate_status;
  if (gate_status == Status::pass) {
    item.message = needs(threshold);
  } else {
    item.message = kNotAllPass;
  }
  return item;
}

/// Everything that waits for correctness; `metrics` are those of the largest case.
void add_dependents(const Lab& lab, Status gate_status,
                    const std::map<std::string, double>& metrics, std::vector<Item>& items) {
  for (std::size_t i = 0; i < lab.technique.size(); ++i) {
    Item item = technique_item(lab.technique[i], metrics);
    if (gate_status != Status::pass) {
      item.status = gate_status;
      item.message = kNotAllPass;
      item.hint.clear();
      item.metrics.clear();
      item.goal->value.reset();
      item.points = 0;
    }
    item.id = fmt::format("technique/{}", i + 1);
    items.push_back(std::move(item));
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    items.push_back(performance_item(lab.thresholds[i], i + 1, gate_status));
  }
}

}  // namespace

std::size_t largest_case(const Lab& lab) {
  std::size_t largest = 0;
  double most = -1;
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const double work = lab.operation->work(lab.cases[i].extents);
    if (lab.cases[i].hidden || work < most) continue;
    most = work;
    largest = i;
  }
  return largest;
}

std::vector<Item> weigh(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<Item> items = correctness_items(lab);
  for (std::size_t i = 0; i < items.size(); ++i) {
    fill_correctness(lab.cases[i], outcomes.at(i), items[i]);
  }
  const Status gate_status = gate(items);
  const bool checked = std::ranges::all_of(outcomes, [](const CaseOutcome& outcome) {
    return outcome.checked && outcome.status != Status::infra;
  });
  if (has_checks(lab)) items.push_back(checks_item(lab, items, gate_status, checked));
  add_dependents(lab, gate_status, outcomes[largest_case(lab)].metrics, items);
  return items;
}

std::vector<Item> weigh_nothing(const Lab& lab, Status status, const std::string& message,
                                const std::string& hint, const std::vector<Finding>& findings) {
  std::vector<Item> items = correctness_items(lab);
  for (Item& item : items) {
    item.status = status;
    item.message = message;
  }
  items.front().hint = hint;
  items.front().findings = findings;
  const Status gate_status = status == Status::infra ? Status::infra : Status::skipped;
  if (has_checks(lab)) items.push_back(checks_item(lab, {}, gate_status, false));
  add_dependents(lab, gate_status, {}, items);
  return items;
}

}  // namespace tessera
