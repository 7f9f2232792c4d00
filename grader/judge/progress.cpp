#include "grader/judge/progress.h"

#include <algorithm>

#include "grader/judge/points/threshold.h"

namespace tessera {
namespace {

void mark_not_reached(Item& item) {
  item.status = Status::timeout;
  item.points = 0;
  item.message = Phrase::not_graded;
  item.hint = Phrase::not_graded_hint;
}

bool is_measured_here(const Threshold& threshold, const Machine& machine) {
  if (threshold.is_modelled()) return range_on(threshold, machine.device.name).has_value();
  return machine.gpu && range_on(threshold, machine.gpu->profile.name);
}

}  // namespace

std::vector<Item> items_so_far(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  std::vector<CaseOutcome> all = outcomes;
  CaseOutcome missing;
  missing.status = Status::timeout;
  all.resize(lab.cases.size(), missing);
  std::vector<Item> items = weigh(lab, all);
  for (std::size_t i = outcomes.size(); i < lab.cases.size(); ++i) mark_not_reached(items[i]);
  const auto checks = std::ranges::find(items, "checks", &Item::id);
  const bool complete = outcomes.size() == lab.cases.size();
  if (!complete && checks != items.end() && checks->status != Status::fail)
    mark_not_reached(*checks);
  return items;
}

std::vector<Item> with_unmeasured(const Lab& lab, std::vector<Item> items, const Machine& machine) {
  for_each_waiting(lab, items, [&](const Threshold& threshold, Item& item) {
    if (is_measured_here(threshold, machine)) mark_not_reached(item);
  });
  return items;
}

void Progress::report(std::vector<Item> items) const {
  if (!is_wanted()) return;
  Record record = record_;
  record.items = std::move(items);
  sum_points(record);
  record.seconds = stopwatch_.seconds();
  options_.on_progress(record);
}

}  // namespace tessera
