// What all thresholds of a lab have in common, whatever measures them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The number of the performance shape, distinct from the cases; with the seed it decides the
/// inputs.
constexpr std::uint64_t kPerformanceNumber = 1'000'000;

/// The lab's performance shape as a case, with real numbers, or integers if the elements are.
Expected<Case> performance_case(const Lab& lab, const std::filesystem::path& datasets);

/// The ends that hold on `device`; nothing if there are only ends for other devices.
std::optional<Threshold::Range> range_on(const Threshold& threshold, const std::string& device);

/// Calls a function for each threshold whose item is `deferred`, which is yet to be measured.
/// The time that it takes is added to the item's.
void for_each_waiting(const Lab& lab, std::vector<Item>& items,
                      const std::function<void(const Threshold&, Item&)>& measure);

/// Ends an item without a measurement.
void end_item(Item& item, Status status, Text message, Text hint = {});

/// The share of the points, 0 to 1, that `value` earns between the two ends.
double share_of(double value, const Threshold::Range& range);

/// Awards the points that `value` earns between the two ends that hold on `device`, which must have
/// ends, and sets the status; the goal gets the value and the ends.
void award(Item& item, double value, const Threshold& threshold, const std::string& device);

}  // namespace tessera
