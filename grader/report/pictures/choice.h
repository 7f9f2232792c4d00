// Which picture shows why something went wrong.
#pragma once

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"

namespace tessera {

/// The map of the item that the cause's message is about, if the cause is elements that are wrong,
/// not finite or never written. nullptr if the item has no map, or none worth drawing.
const ResultMap* map_of(const Cause& cause, const Record& record);

/// The item's costliest access; nullptr if the record does not say where the lanes lay.
const LineAccess* access_of(const Item& item, const Record& record);

}  // namespace tessera
