// Which picture tells why something went wrong.
#pragma once

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"

namespace tessera {

/// The map of the item that the cause's message speaks of, where that is of elements that are
/// wrong, not finite or never written. nullptr where it has none, or where it would tell nothing.
const ResultMap* map_of(const Cause& cause, const Record& record);

/// The item's costliest access; nullptr where the record does not tell where the lanes lay.
const LineAccess* access_of(const Item& item, const Record& record);

}  // namespace tessera
