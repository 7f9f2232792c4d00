// The measured time that a leaderboard shows.
#pragma once

#include "grader/judge/points/record.h"

namespace tessera {

/// The first item whose time was measured (metric time_ms, not modelled_time_ms), if the lab
/// passes every case; else nullptr.
const Item* timed_item(const Record& record);

}  // namespace tessera
