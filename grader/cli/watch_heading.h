// The line above a result of `tessera grade --watch`, which says what the last change was worth.
#pragma once

#include <optional>
#include <string>

#include "grader/judge/points/record.h"

namespace tessera {

/// "03-tiled  62 -> 75 of 100; correctness/3 now passes". The points are those that this machine
/// can measure; `before` is the lab's last record, if there is one.
std::string watch_heading(const Record& record, const std::optional<Record>& before);

}  // namespace tessera
