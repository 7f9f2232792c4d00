// Pictures of a page, each in a box that scrolls where a screen is narrower than they can be read.
#pragma once

#include "common/line_profile.h"
#include "grader/judge/compare/result_map.h"
#include "grader/judge/points/record.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// Which elements are right.
Html map_figure(const ResultMap& map);

/// How the lanes lie in the worst request of a line. Nothing where the record does not tell.
Html access_figure(const LineAccess& access);

/// The item's time beside what it is compared with. Nothing where none was measured.
Html time_figure(const Item& item);

}  // namespace tessera
