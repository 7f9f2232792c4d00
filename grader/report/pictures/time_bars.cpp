#include "grader/report/pictures/time_bars.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/numbers.h"

namespace tessera {
namespace {

using Kind = TimeBar::Kind;

bool is_time(double value) {
  return std::isfinite(value) && value > 0;
}

std::optional<double> time_of(const Item& item, Metric metric) {
  const auto found = item.metrics.find(metric);
  if (found == item.metrics.end() || !is_time(found->second)) return std::nullopt;
  return found->second;
}

/// The time at which the metric reaches a threshold.
std::optional<double> time_at(const Goal& goal, std::optional<double> threshold, double own,
                              std::optional<double> baseline) {
  if (!threshold || !is_time(*threshold)) return std::nullopt;
  switch (about(goal.metric).unit) {
    case Unit::milliseconds:
      return *threshold;
    case Unit::times:
      return baseline ? std::optional(*baseline / *threshold) : std::nullopt;
    case Unit::rate:  // For the same work, the time is inverse to the rate.
      if (goal.value && is_time(*goal.value)) return own * *goal.value / *threshold;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<TimeBar> time_bars(const Item& item) {
  if (!item.goal) return {};
  const Goal& goal = *item.goal;
  const bool modelled = about(goal.metric).origin == Origin::modelled;
  const auto own = time_of(item, modelled ? goal.metric : Metric::time_ms);
  if (!own) return {};
  std::vector<TimeBar> bars;
  const auto add = [&](Kind kind, const std::string& label, std::optional<double> ms) {
    if (ms && is_time(*ms)) bars.push_back({kind, label, *ms});
  };
  const std::optional<double> baseline = time_of(item, Metric::baseline_ms);
  add(Kind::yours, modelled ? "your kernel (model)" : "your kernel", own);
  add(Kind::baseline, goal.over.empty() ? "cuBLAS" : goal.over, baseline);
  add(Kind::threshold, "no points from", time_at(goal, goal.zero, *own, baseline));
  add(Kind::threshold, "all points up to", time_at(goal, goal.full, *own, baseline));
  if (goal.roof) {
    const bool memory = !(goal.roof->compute_ms > goal.roof->memory_ms);
    add(Kind::roof, memory ? "roof: memory" : "roof: arithmetic",
        memory ? goal.roof->memory_ms : goal.roof->compute_ms);
  }
  return bars;
}

double longest_ms(const std::vector<TimeBar>& bars) {
  double longest = 0;
  for (const TimeBar& bar : bars) longest = std::max(longest, bar.ms);
  return longest;
}

std::string time_label(double ms) {
  return short_number(ms) + " ms";
}

}  // namespace tessera
