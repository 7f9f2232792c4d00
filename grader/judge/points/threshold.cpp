#include "grader/judge/points/threshold.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/stopwatch.h"

namespace tessera {

Expected<Case> performance_case(const Lab& lab, const std::filesystem::path& datasets) {
  Case shape;
  shape.extents = lab.performance_shape;
  shape.parameters = lab.performance_parameters;
  shape.data_name = lab.element == Element::float32 ? "uniform" : "integers";
  for (const Operand& operand : lab.operation->operands(shape.extents)) {
    if (operand.output) continue;
    const auto found = find_recipe(shape.data_name, operand.name, datasets);
    if (!found) return found.error();
    shape.data[operand.name] = *found;
  }
  return shape;
}

std::optional<Threshold::Range> range_on(const Threshold& threshold, const std::string& device) {
  if (threshold.range) return threshold.range;
  const auto found = threshold.devices.find(device);
  return found == threshold.devices.end() ? std::nullopt : std::optional(found->second);
}

void for_each_waiting(const Lab& lab, std::vector<Item>& items,
                      const std::function<void(const Threshold&, Item&)>& measure) {
  for (std::size_t i = 0; i < lab.thresholds.size(); ++i) {
    const auto item = std::ranges::find(items, fmt::format("performance/{}", i + 1), &Item::id);
    if (item == items.end() || item->status != Status::deferred) continue;
    const Stopwatch stopwatch;
    measure(lab.thresholds[i], *item);
    item->seconds += stopwatch.seconds();
  }
}

void end_item(Item& item, Status status, Text message, Text hint) {
  item.status = status;
  item.message = std::move(message);
  item.hint = std::move(hint);
}

double share_of(double value, const Threshold::Range& range) {
  return std::clamp((value - range.zero) / (range.full - range.zero), 0.0, 1.0);
}

void award(Item& item, double value, const Threshold& threshold, const std::string& device) {
  const Threshold::Range range = range_on(threshold, device).value();
  const double share = share_of(value, range);
  item.points = share * item.max_points;
  if (item.goal) {
    item.goal->value = value;
    item.goal->zero = range.zero;
    item.goal->full = range.full;
    if (!threshold.range) item.goal->device = device;
  }
  item.status = share >= 1 ? Status::pass : share <= 0 ? Status::fail : Status::partial;
  item.hint = item.status == Status::pass ? Text() : Phrase::explain_hint;
}

}  // namespace tessera
