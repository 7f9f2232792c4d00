#include "grader/gradebook/report/time_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/numbers.h"

namespace tessera {
namespace {

constexpr std::string_view kPerformance = "performance/";

bool is_ratio(Metric metric) {
  return about(metric).unit == Unit::times;
}

/// The value that decided: for a speed-up its inverse, the time over the baseline's.
double value_of(Metric metric, double measured) {
  return is_ratio(metric) ? 1 / measured : measured;
}

TimeScatter new_scatter(const Item& item, Metric metric) {
  TimeScatter scatter;
  scatter.title = item.title;
  scatter.axis = is_ratio(metric) ? "time over baseline" : to_string(metric);
  scatter.less_is_better = is_ratio(metric) || !about(metric).more_is_better;
  scatter.max_points = item.max_points;
  return scatter;
}

std::string limit_text(std::string_view what, Metric metric, double limit,
                       const std::string& device) {
  const std::string unit = is_ratio(metric) ? "" : fmt::format(" {}", to_string(metric));
  std::string text = fmt::format("{}: {}{}", what, short_number(value_of(metric, limit)), unit);
  if (is_ratio(metric)) text += fmt::format(" ({} {})", to_string(metric), short_number(limit));
  if (!device.empty()) text += " on " + device;
  return text;
}

void add_limits(Metric metric, const Threshold::Range& range, const std::string& device,
                std::vector<TimeLimit>& limits) {
  const auto add = [&](std::string_view what, double limit) {
    if (limit > 0)
      limits.push_back({value_of(metric, limit), limit_text(what, metric, limit, device)});
  };
  add("all points", range.full);
  add("no points", range.zero);
}

/// The limits of the threshold with the same number, if it still has this metric.
std::vector<TimeLimit> limits_of(const Lab* lab, const Item& item, Metric metric) {
  std::vector<TimeLimit> limits;
  if (lab == nullptr) return limits;
  for (std::size_t i = 0; i < lab->thresholds.size(); ++i) {
    const Threshold& threshold = lab->thresholds[i];
    if (item.id != fmt::format("{}{}", kPerformance, i + 1)) continue;
    if (threshold.metric != metric) continue;
    if (threshold.range) add_limits(metric, *threshold.range, "", limits);
    for (const auto& [device, range] : threshold.devices) add_limits(metric, range, device, limits);
  }
  return limits;
}

/// The item's measured value; nothing if there is none, or none above 0.
std::optional<double> measured_of(const Item& item, Metric metric) {
  if (not_measured(item)) return std::nullopt;
  const auto found = item.metrics.find(metric);
  const bool usable =
      found != item.metrics.end() && std::isfinite(found->second) && found->second > 0;
  return usable ? std::optional(found->second) : std::nullopt;
}

}  // namespace

void TimeTally::add(const Item& item) {
  const auto metric = metric_of(item);
  if (!item.id.starts_with(kPerformance) || !metric) return;
  auto scatter = std::ranges::find(scatters_, item.title, &TimeScatter::title);
  if (scatter == scatters_.end()) {
    scatter = scatters_.insert(scatter, new_scatter(item, *metric));
    scatter->limits = limits_of(lab_, item, *metric);
  }
  if (const auto measured = measured_of(item, *metric)) {
    scatter->kernels.push_back({value_of(*metric, *measured), item.status});
  } else {
    ++(item.status == Status::deferred ? scatter->deferred : scatter->untimed);
  }
}

std::vector<TimeScatter> TimeTally::scatters() const {
  std::vector<TimeScatter> sorted = scatters_;
  for (TimeScatter& scatter : sorted) {
    std::ranges::stable_sort(scatter.kernels, [&](const TimedKernel& a, const TimedKernel& b) {
      return scatter.less_is_better ? a.value < b.value : a.value > b.value;
    });
  }
  return sorted;
}

}  // namespace tessera
