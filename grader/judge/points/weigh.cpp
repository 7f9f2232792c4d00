#include "grader/judge/points/weigh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "grader/judge/points/merge.h"
#include "grader/judge/points/technique.h"
#include "grader/process/second_try.h"

namespace tessera {
namespace {

Phrase name_of(ExtraOrder::By by) {
  switch (by) {
    case ExtraOrder::By::nothing:
      break;
    case ExtraOrder::By::fence:
      return Phrase::by_fence;
    case ExtraOrder::By::strong_store:
      return Phrase::by_strong_store;
    case ExtraOrder::By::clock:
      return Phrase::by_clock;
    case ExtraOrder::By::many_flags:
      return Phrase::by_many_flags;
  }
  return Phrase::by_nothing;
}

Text extra_order_message(const ExtraOrder& order) {
  const Phrase by = name_of(order.by);
  return order.line > 0 ? say(Phrase::extra_order_in_line, by, SourceLine{order.line})
                        : say(Phrase::extra_order, by);
}

bool forbidden(const Lab& lab, const Finding& finding) {
  return finding.severity == Severity::error && lab.forbids(finding.kind);
}

Item correctness_item(const Lab& lab, std::size_t index, int hidden_before) {
  const Case& test_case = lab.cases[index];
  Item item;
  item.id = fmt::format("correctness/{}", index + 1);
  item.hidden = test_case.hidden;
  item.title = test_case.hidden ? fmt::format("hidden case {}", hidden_before + 1)
                                : lab.case_title(test_case);
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

/// The finding that a hidden case shows: the first that the lab forbids, else what failed the case.
/// With each further kind a kernel could give away a bit of the case's extents.
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

void fill_correctness(const Lab& lab, const Case& test_case, const CaseOutcome& outcome,
                      Item& item) {
  item.status = outcome.status;
  item.steps = outcome.steps;
  item.points = outcome.status == Status::pass ? item.max_points : 0;
  if (test_case.hidden) return fill_hidden(lab, outcome, item);
  item.seconds = outcome.seconds;
  item.findings = outcome.findings;
  item.message = outcome.message;
  item.hint = outcome.hint;
  item.metrics = outcome.metrics;
  item.map = outcome.map;
}

/// Whether the item is not judged yet, so that what depends on it waits too.
bool is_open(Status status) {
  return status == Status::infra || status == Status::review;
}

/// The status that technique and performance depend on: pass if all cases passed, else why not.
Status gate(const std::vector<Item>& correctness) {
  Status worst = Status::pass;
  for (const Item& item : correctness) {
    if (item.status == Status::pass) continue;
    if (!is_open(item.status)) return Status::skipped;
    worst = std::max(worst, item.status);  // infra comes first, since it is tried again
  }
  return worst;
}

std::string forbid_title(const Lab& lab) {
  std::vector<std::string> words;
  for (const FindingKind kind : lab.forbid) words.emplace_back(to_string(kind));
  return fmt::format("no {}", fmt::join(words, ", "));
}

/// The findings of all cases that the lab forbids, one for each cause. A finding of a hidden case
/// joins the first of its kind in a visible case; only without such a finding is it listed itself.
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

Text forbidden_message(const std::vector<Finding>& findings) {
  Text message = Phrase::found;
  std::set<std::pair<FindingKind, int>> known;
  for (const Finding& finding : findings) {
    const int line = std::max(finding.line, 0);
    if (!known.emplace(finding.kind, line).second) continue;
    if (known.size() > 1) message += Phrase::found_next;
    const Name kind{std::string(to_string(finding.kind))};
    message += line > 0 ? say(Phrase::found_kind_in_line, kind, SourceLine{line})
                        : say(Phrase::found_kind, kind);
  }
  return message;
}

bool has_checks(const Lab& lab) {
  return !lab.forbid.empty();
}

/// Awards the points of the checks case by case, as those of correctness: a case that fails has not
/// shown that the finished kernel makes no mistake there.
void win_checks(std::size_t passes, std::size_t cases, Item& item) {
  if (passes == cases) {
    item.status = Status::pass;
    item.points = item.max_points;
    return;
  }
  item.status = Status::partial;
  item.points = item.max_points * static_cast<double>(passes) / static_cast<double>(cases);
  item.message = say(Phrase::checked_in, Count{passes, Phrase::tested_case}, cases,
                     passes == 1 ? Phrase::passes : Phrase::pass);
}

/// How closely the accesses of all cases were checked.
struct Looks {
  AccessChecks checks = AccessChecks::done;
  ExtraOrder extra_order;  // of the first case that has one
};

/// The item of the checks. If the simulator did not check all cases, for want of an instruction,
/// the unchecked part is neither won nor taken out of the total.
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
    item.message = Phrase::beyond_simulator;
  } else if (any_pass && looks.checks == AccessChecks::limited) {
    item.status = Status::review;
    item.message = extra_order_message(looks.extra_order);
    item.hint = Phrase::extra_order_hint;
  } else if (any_pass && looks.checks == AccessChecks::assembly) {
    item.status = Status::review;
    item.message = Phrase::has_assembly;
    item.hint = Phrase::has_assembly_hint;
  } else if (any_pass && looks.checks == AccessChecks::left_out) {
    item.status = Status::deferred;
    item.message = Phrase::unchecked;
  } else if (any_pass) {
    win_checks(passes, correctness.size(), item);
  } else {
    item.status = is_open(gate_status) ? gate_status : Status::skipped;
    item.message = Phrase::waits_for_a_pass;
  }
  return item;
}

/// The goal with the ends in the title; whatever measures the item sets the ends of its device.
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

/// What an item waits for until it is measured.
Text needs(const Threshold& threshold) {
  const Phrase what = threshold.is_modelled() ? Phrase::device_option : Phrase::gpu;
  if (threshold.range) return say(Phrase::needs_any, what);
  return say(Phrase::needs_this, what, Name{threshold.devices.begin()->first});
}

/// What counters and times wait for besides results.
struct Missing {
  Text checks;  // if the lab forbids what was found: "; it counts only with checks"
  Text lesson;  // missed_lesson()
};

/// The time model knows no caches, so without the lesson's counters a modelled time proves nothing.
Item performance_item(const Threshold& threshold, std::size_t number, Status gate_status,
                      const Missing& missing) {
  Item item;
  item.id = fmt::format("performance/{}", number);
  item.title = threshold_title(threshold);
  item.goal = goal_of(threshold);
  item.max_points = threshold.points;
  item.status = gate_status == Status::pass ? Status::deferred : gate_status;
  item.message = gate_status == Status::pass ? needs(threshold) : Phrase::waits_for_all;
  if (item.status != Status::deferred) return item;
  const bool modelled = threshold.is_modelled();
  const Text& missed = modelled && missing.checks.empty() ? missing.lesson : missing.checks;
  if (!missed.empty()) {
    item.status = Status::skipped;
    item.message = (modelled ? Phrase::not_modelled : Phrase::not_measured) + missed;
  }
  return item;
}

/// Has the item wait for a person: points are not left out just because the simulator lacks what
/// the kernel uses.
void wait_for_person(Item& item) {
  if (item.status != Status::deferred) return;
  item.status = Status::review;
  item.message = Phrase::beyond_simulator;
}

/// Adds all items that wait for correctness. `broke_rules`: a case made a mistake that the lab
/// forbids. Such a kernel's results hold for one order of its threads, and so do its counters.
void add_dependents(const Lab& lab, Status gate_status, AccessChecks checks, bool broke_rules,
                    const std::vector<CountedCase>& counted, std::vector<Item>& items) {
  const bool beyond = checks == AccessChecks::impossible;
  std::vector<Item> technique = technique_items(lab, counted);
  Missing missing;
  missing.lesson = missed_lesson(lab, technique);
  if (broke_rules) missing.checks = say(Phrase::counts_only_with, Name{"checks"});
  hold_back(technique, missing.checks);
  for (Item& item : technique) {
    if (gate_status != Status::pass) {
      item.status = gate_status;
      item.message = Phrase::waits_for_all;
      item.hint = {};
      item.metrics.clear();
      item.goal->value.reset();
      item.points = 0;
    }
    if (beyond) wait_for_person(item);
    items.push_back(std::move(item));
  }
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    items.push_back(performance_item(lab.thresholds[i], i + 1, gate_status, missing));
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
  bool broke_rules = false;
  if (has_checks(lab)) {
    items.push_back(checks_item(lab, items, gate_status, looks));
    broke_rules = items.back().status == Status::fail;
  }
  std::vector<CountedCase> counted;
  for (const std::size_t index : lab.counted_cases())
    counted.push_back({index, &outcomes[index].metrics});
  add_dependents(lab, gate_status, looks.checks, broke_rules, counted, items);
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
  add_dependents(lab, gate_status, AccessChecks::left_out, false, {{lab.largest_case(), &nothing}},
                 items);
  return items;
}

Finding crash_finding(const ProcessCrash& crash) {
  Finding finding;
  finding.kind = FindingKind::grader_crash;
  finding.file = "kernel.cu";
  finding.message = Phrase::broke_process + crash.why;
  finding.hint = Phrase::broke_process_hint;
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
