#include "grader/report/pictures/choice.h"

#include "grader/report/advice.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {

const ResultMap* map_of(const Cause& cause, const Record& record) {
  // The message of an item has no kind.
  const bool is_finding = cause.title.empty();
  if (!is_finding || about(cause.finding.kind).shows_in != FindingFacts::Stage::result)
    return nullptr;
  const std::optional<ResultMap>& map = record.items[cause.item].map;
  return map && is_worth_drawing(*map) ? &*map : nullptr;
}

const LineAccess* access_of(const Item& item, const Record& record) {
  const LineAccess* access = costliest_access(item, record);
  return access != nullptr && has_lanes(access->worst) ? access : nullptr;
}

}  // namespace tessera
