#include "grader/judge/weigh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "common/numbers.h"
#include "grader/judge/merge.h"
#include "grader/judge/technique.h"
#include "grader/process/second_try.h"

namespace tessera {
namespace {

constexpr const char* kNotAllPass = "counters and times wait until every case passes";
constexpr const char* kNoPass = "the checks wait until a case passes";
constexpr const char* kUnchecked =
    "only the simulator looks at every access, and not all cases ran there";
constexpr const char* kBeyond =
    "only the simulator can judge this, and it lacks what the kernel uses: a person has to";

constexpr const char* kWithoutFlags =
    "take out what the kernel does not need: `volatile`, __threadfence() and its like, barriers of "
    "a part of a block, clock()";
constexpr const char* kAssembly =
    "the kernel has, or hides, inline assembly: a person has to judge whether it does on a GPU "
    "what "
    "it does in the simulator";
constexpr const char* kWithoutAssembly =
    "where CUDA has a function that does the same, call it in place of asm(); do without what can "
    "make one: `##`, names with an underscore before a capital letter, keywords redefined";

const char* name_of(ExtraOrder::By by) {
  switch (by) {
    case ExtraOrder::By::nothing:
      return "nothing";
    case ExtraOrder::By::fence:
      return "a fence";
    case ExtraOrder::By::partial_barrier:
      return "a barrier of a part of a block";
    case ExtraOrder::By::strong_store:
      return "a volatile or releasing store";
    case ExtraOrder::By::clock:
      return "a clock";
  }
  return "";
}

std::string extra_order_message(const ExtraOrder& order) {
  const std::string line = order.line > 0 ? fmt::format(" in line {}", order.line) : "";
  return fmt::format(
      "the kernel orders its threads by more than __syncthreads(), __syncwarp() and atomic "
      "functions ({}{}): whether that is enough, a person has to judge",
      name_of(order.by), line);
}

bool forbidden(const Lab& lab, const Finding& finding) {
  return finding.severity == Severity::error && std::ranges::count(lab.forbid, finding.kind) > 0;
}

Item correctness_item(const Lab& lab, std::size_t index, int hidden_before) {
  const Case& one = lab.cases[index];
  Item item;
  item.id = fmt::format("correctness/{}", index + 1);
  item.hidden = one.hidden;
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

/// What a hidden case says: one kind, that of the first finding that the lab forbids, else of what
/// failed it. Each kind more would be a bit of the case's extents that a kernel can give away.
std::optional<Finding> hidden_finding(const Lab& lab, const CaseOutcome& outcome) {
  const std::vector<Finding>& all = outcome.findings;
  auto reason =
      std::ranges::find_if(all, [&](const Finding& finding) { return forbidden(lab, finding); });
  if (reason == all.end() && outcome.status != Status::pass && !all.empty()) {
    reason = std::ranges::find(all, outcome.message, &Finding::message);
    if (reason == all.end()) reason = all.begin();
  }
  return reason == all.end() ? std::nullopt : std::optional(redacted(*reason));
}

void fill_hidden(const Lab& lab, const CaseOutcome& outcome, Item& item) {
  const std::optional<Finding> finding = hidden_finding(lab, outcome);
  if (!finding) return;
  item.findings = {*finding};
  if (outcome.status == Status::pass) return;
  item.message = finding->message;
  item.hint = finding->hint;
}

void fill_correctness(const Lab& lab, const Case& one, const CaseOutcome& outcome, Item& item) {
  item.status = outcome.status;
  item.steps = outcome.steps;
  item.points = outcome.status == Status::pass ? item.max_points : 0;
  if (one.hidden) return fill_hidden(lab, outcome, item);
  item.seconds = outcome.seconds;
  item.findings = outcome.findings;
  item.message = outcome.message;
  item.hint = outcome.hint;
  item.metrics = outcome.metrics;
  item.map = outcome.map;
}

/// Whether nobody has judged the item yet, so that what depends on it waits too.
bool is_open(Status status) {
  return status == Status::infra || status == Status::review;
}

/// Technique and performance wait for all correctness cases: pass where all passed, else why not.
Status gate(const std::vector<Item>& correctness) {
  Status worst = Status::pass;
  for (const Item& item : correctness) {
    if (item.status == Status::pass) continue;
    if (!is_open(item.status)) return Status::skipped;
    worst = std::max(worst, item.status);  // infra is tried again: it comes first
  }
  return worst;
}

std::string forbid_title(const Lab& lab) {
  std::vector<std::string> words;
  for (const FindingKind kind : lab.forbid) words.emplace_back(to_string(kind));
  return fmt::format("no {}", fmt::join(words, ", "));
}

/// Findings of all cases that the lab forbids, one a cause. A hidden case adds to the first cause
/// of its kind that a visible one shows, and is told on its own only where none does.
std::vector<Finding> forbidden_findings(const Lab& lab, const std::vector<Item>& correctness) {
  FindingMerger merger;
  const auto add = [&](bool hidden) {
    for (std::size_t i = 0; i < correctness.size(); ++i) {
      if (lab.cases[i].hidden != hidden) continue;
      for (const Finding& finding : correctness[i].findings) {
        if (!forbidden(lab, finding)) continue;
        const auto shown = hidden
                               ? std::ranges::find(merger.findings(), finding.kind, &Finding::kind)
                               : merger.findings().end();
        if (shown == merger.findings().end()) {
          merger.add(finding);
        } else {
          shown->count += finding.count;
        }
      }
    }
  };
  add(false);
  add(true);
  return std::move(merger.findings());
}

std::string forbidden_message(const std::vector<Finding>& findings) {
  std::vector<std::string> places;
  std::set<std::string> known;
  for (const Finding& finding : findings) {
    const std::string kind(to_string(finding.kind));
    const std::string place =
        finding.line > 0 ? fmt::format("{} in line {}", kind, finding.line) : kind;
    if (known.insert(place).second) places.push_back(place);
  }
  return fmt::format("found: {}", fmt::join(places, ", "));
}

bool has_checks(const Lab& lab) {
  return !lab.forbid.empty();
}

/// A case that fails has not shown that the finished kernel makes no mistake there: the points of
/// the checks are won case by case, as those of correctness.
void win_checks(std::size_t passes, std::size_t cases, Item& item) {
  if (passes == cases) {
    item.status = Status::pass;
    item.points = item.max_points;
    return;
  }
  item.status = Status::partial;
  item.points = item.max_points * static_cast<double>(passes) / static_cast<double>(cases);
  item.message = fmt::format(
      "checked in the {} of {} that {}: the share of the other cases is won once they pass too",
      counted(passes, "case"), cases, passes == 1 ? "passes" : "pass");
}

/// How closely the accesses of all cases together were looked at.
struct Looks {
  AccessChecks checks = AccessChecks::done;
  ExtraOrder extra_order;  // of the first case that has one
};

/// Where the simulator has not looked at all cases, an instruction that it lacks must not win what
/// nobody has looked at, nor take it out of the total.
Item checks_item(const Lab& lab, const std::vector<Item>& correctness, Status gate_status,
                 const Looks& looks) {
  Item item;
  item.id = "checks";
  item.title = forbid_title(lab);
  item.max_points = lab.checks_points;
  item.findings = forbidden_findings(lab, correctness);
  const auto passes =
      static_cast<std::size_t>(std::ranges::count(correctness, Status::pass, &Item::status));
  const bool any_pass = passes > 0;
  if (!item.findings.empty()) {
    item.status = Status::fail;
    item.message = forbidden_message(item.findings);
  } else if (any_pass && looks.checks == AccessChecks::impossible) {
    item.status = Status::review;
    item.message = kBeyond;
  } else if (any_pass && looks.checks == AccessChecks::limited) {
    item.status = Status::review;
    item.message = extra_order_message(looks.extra_order);
    item.hint = kWithoutFlags;
  } else if (any_pass && looks.checks == AccessChecks::assembly) {
    item.status = Status::review;
    item.message = kAssembly;
    item.hint = kWithoutAssembly;
  } else if (any_pass && looks.checks == AccessChecks::left_out) {
    item.status = Status::deferred;
    item.message = kUnchecked;
  } else if (any_pass) {
    win_checks(passes, correctness.size(), item);
  } else {
    item.status = is_open(gate_status) ? gate_status : Status::skipped;
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
  std::string title(to_string(threshold.metric));
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

/// What nothing here can measure since the simulator lacks what the kernel uses is no reason to
/// leave its points out.
void wait_for_person(Item& item) {
  if (item.status != Status::deferred) return;
  item.status = Status::review;
  item.message = kBeyond;
}

/// Everything that waits for correctness.
void add_dependents(const Lab& lab, Status gate_status, AccessChecks checks,
                    const std::vector<CountedCase>& counted, std::vector<Item>& items) {
  const bool beyond = checks == AccessChecks::impossible;
  for (Item& item : technique_items(lab, counted)) {
    if (gate_status != Status::pass) {
      item.status = gate_status;
      item.message = kNotAllPass;
      item.hint = {};
      item.metrics.clear();
      item.goal->value.reset();
      item.points = 0;
    }
    if (beyond) wait_for_person(item);
    items.push_back(std::move(item));
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    items.push_back(performance_item(lab.thresholds[i], i + 1, gate_status));
    if (beyond && lab.thresholds[i].is_modelled()) wait_for_person(items.back());
  }
}

Looks looks_at_all(const std::vector<CaseOutcome>& outcomes) {
  Looks all;
  for (const CaseOutcome& outcome : outcomes) {
    if (outcome.status == Status::review) return {AccessChecks::impossible, {}};
    all.checks = std::max(all.checks, outcome.checks);
    if (outcome.status == Status::infra) all.checks = std::max(all.checks, AccessChecks::left_out);
    if (all.extra_order.by == ExtraOrder::By::nothing) all.extra_order = outcome.extra_order;
  }
  return all;
}

}  // namespace

std::vector<Item> weigh(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<Item> items = correctness_items(lab);
  for (std::size_t i = 0; i < items.size(); ++i) {
    fill_correctness(lab, lab.cases[i], outcomes.at(i), items[i]);
  }
  const Status gate_status = gate(items);
  const Looks looks = looks_at_all(outcomes);
  if (has_checks(lab)) items.push_back(checks_item(lab, items, gate_status, looks));
  std::vector<CountedCase> counted;
  for (const std::size_t index : lab.counted_cases())
    counted.push_back({index, &outcomes[index].metrics});
  add_dependents(lab, gate_status, looks.checks, counted, items);
  return items;
}

std::vector<Item> weigh_nothing(const Lab& lab, Status status, const Text& message,
                                const Text& hint, const std::vector<Finding>& findings) {
  std::vector<Item> items = correctness_items(lab);
  for (Item& item : items) {
    item.status = status;
    item.message = message;
  }
  items.front().hint = hint;
  items.front().findings = findings;
  const Status gate_status = is_open(status) ? status : Status::skipped;
  if (has_checks(lab))
    items.push_back(checks_item(lab, {}, gate_status, {AccessChecks::left_out, {}}));
  const Metrics nothing;
  add_dependents(lab, gate_status, AccessChecks::left_out, {{lab.largest_case(), &nothing}}, items);
  return items;
}

Finding crash_finding(const ProcessCrash& crash) {
  Finding finding;
  finding.kind = FindingKind::grader_crash;
  finding.file = "kernel.cu";
  finding.message =
      fmt::format("this kernel broke the process that worked on it, twice: {}", crash.what());
  finding.hint = "take out inline assembly and what was added last; the teacher's list names it";
  return finding;
}

CaseOutcome crash_outcome(const ProcessCrash& crash) {
  const Finding finding = crash_finding(crash);
  CaseOutcome outcome;
  outcome.status = Status::error;
  outcome.message = finding.message;
  outcome.hint = finding.hint;
  outcome.findings = {finding};
  return outcome;
}

std::vector<Item> weigh_crash(const Lab& lab, const ProcessCrash& crash) {
  const Finding finding = crash_finding(crash);
  return weigh_nothing(lab, Status::error, finding.message, finding.hint, {finding});
}

}  // namespace tessera
