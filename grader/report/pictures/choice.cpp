#include "grader/report/pictures/choice.h"

#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {
namespace {

bool is_of_elements(FindingKind kind) {
  return kind == FindingKind::wrong_result || kind == FindingKind::not_finite ||
         kind == FindingKind::output_not_written;
}

/// "global_load_sectors_per_request" counts global loads.
bool counts(const std::string& metric, const LineAccess& access) {
  const bool global = access.memory == LineAccess::Memory::global;
  return metric.starts_with(std::string(global ? "global" : "shared") +
                            (access.store ? "_store_" : "_load_"));
}

}  // namespace

const ResultMap* map_of(const Cause& cause, const Record& record) {
  // A message of no finding has no kind.
  if (!cause.title.empty() || !is_of_elements(cause.finding.kind)) return nullptr;
  const std::optional<ResultMap>& map = record.items[cause.item].map;
  return map && is_worth_drawing(*map) ? &*map : nullptr;
}

const LineAccess* access_of(const Item& item, const Record& record) {
  if (item.status != Status::fail && item.status != Status::partial) return nullptr;
  if (!item.goal) return nullptr;
  const LineAccess* worst = nullptr;
  for (const LineAccess& access : record.lines) {
    if (!counts(item.goal->metric, access) || !has_lanes(access.worst)) continue;
    if (access.passes <= access.ideal) continue;
    const auto excess = access.passes - access.ideal;
    if (worst == nullptr || excess > worst->passes - worst->ideal) worst = &access;
  }
  return worst;
}

}  // namespace tessera
