// The time to be proud of.
#pragma once

#include "grader/judge/points/record.h"

namespace tessera {

/// The first item whose time was measured (metric time_ms, not modelled_time_ms), of a lab that
/// passes every case; else nullptr.
const Item* timed_item(const Record& record);

}  // namespace tessera
