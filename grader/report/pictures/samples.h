// Accesses of source lines, and a record with something to draw, for tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/line_profile.h"
#include "grader/report/pictures/warp_access.h"
#include "grader/report/sample_record.h"

namespace tessera {

/// Line 23 reads As, `width` bytes a lane; `offset` gives each lane's place, or nothing.
template <class Offset>
LineAccess sample_access(LineAccess::Memory memory, std::uint32_t width, const Offset& offset) {
  LineAccess access;
  access.line = 23;
  access.memory = memory;
  access.requests = 10;
  AccessShape& worst = access.worst;
  worst.variable = "As";
  worst.width = width;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    worst.offsets.push_back(offset(lane));
    if (worst.offsets.back()) ++worst.lanes;
  }
  worst.ideal = std::max(1u, worst.lanes * std::min(width, 16u) / kBankRowBytes);
  if (memory == LineAccess::Memory::shared) {
    worst.passes = banks_of(worst).wavefronts;
  } else {
    worst.passes = static_cast<std::uint32_t>(sectors_of(worst).size());
    worst.ideal *= kBankRowBytes / kSectorBytes;
  }
  access.passes = access.requests * worst.passes;
  access.ideal = access.requests * worst.ideal;
  return access;
}

inline ResultMap last_columns() {
  return result_map("C", 8, 8, [](int, int column) {
    return column > 5 ? ElementState::wrong : ElementState::right;
  });
}

inline Item failing_technique(Metric metric) {
  Item item = sample_item("technique/1", fmt::format("{} at most 4", to_string(metric)),
                          Status::fail, 0, 5);
  item.message = fmt::format("{} is too large", to_string(metric));
  item.goal.emplace();
  item.goal->metric = metric;
  return item;
}

inline Item slow_performance() {
  Item item = sample_item("performance/1", "time_ms", Status::partial, 2, 5);
  item.message = "4 ms";
  item.metrics = {{Metric::time_ms, 4}};
  item.goal.emplace();
  item.goal->metric = Metric::time_ms;
  item.goal->zero = 6;
  item.goal->full = 3;
  return item;
}

/// A record with a wrong result, bad accesses and a slow kernel.
inline Record pictured_record() {
  Record record = failed_record();
  record.items[1].map = last_columns();
  record.items[1].findings[1].example = {{"diagnosis", "missing-last-phase"}};
  record.lines = {
      sample_access(LineAccess::Memory::global, 4,
                    [](unsigned lane) -> std::optional<std::uint64_t> { return 64 * lane; }),
      sample_access(LineAccess::Memory::shared, 4,
                    [](unsigned lane) -> std::optional<std::uint64_t> { return 128 * lane; })};
  record.items.back() = failing_technique(Metric::global_load_sectors_per_request);
  record.items.push_back(failing_technique(Metric::shared_load_bank_conflicts));
  record.items.push_back(slow_performance());
  return record;
}

}  // namespace tessera
