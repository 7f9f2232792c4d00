// Pictures of a page, each in a box that scrolls if the screen is too narrow for it.
#pragma once

#include "common/line_profile.h"
#include "grader/judge/compare/result_map.h"
#include "grader/judge/points/record.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// A map of which elements are right.
Html map_figure(const ResultMap& map);

/// How the lanes lie in the worst request of a line. Nothing if the record does not say.
Html access_figure(const LineAccess& access);

/// The item's time beside what it is compared with. Nothing if none was measured.
Html time_figure(const Item& item);

}  // namespace tessera
