#include "grader/report/pictures/choice.h"

#include "grader/report/advice.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {
namespace {

bool is_of_elements(FindingKind kind) {
  return kind == FindingKind::wrong_result || kind == FindingKind::not_finite ||
         kind == FindingKind::output_not_written;
}

}  // namespace

const ResultMap* map_of(const Cause& cause, const Record& record) {
  // A message of no finding has no kind.
  if (!cause.title.empty() || !is_of_elements(cause.finding.kind)) return nullptr;
  const std::optional<ResultMap>& map = record.items[cause.item].map;
  return map && is_worth_drawing(*map) ? &*map : nullptr;
}

const LineAccess* access_of(const Item& item, const Record& record) {
  const LineAccess* access = costliest_access(item, record);
  return access != nullptr && has_lanes(access->worst) ? access : nullptr;
}

}  // namespace tessera
