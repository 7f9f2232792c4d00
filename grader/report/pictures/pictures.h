// Pictures of what went wrong, from the record alone: for a terminal, and as SVG for a page.
//
// Texts have lines of at most 80 columns, each with its line end, indented like the messages above
// them. Without colour they say the same: whatever differs differs in its character too. SVG is one
// element without ids, scripts or styles, so that several stand in one page (pictures/svg.h).
#pragma once

#include <string>

#include "common/line_profile.h"
#include "grader/judge/compare/result_map.h"
#include "grader/judge/points/record.h"
#include "grader/report/report.h"

namespace tessera {

/// Whether a picture of the map would tell more than a sentence: its elements differ.
bool is_worth_drawing(const ResultMap& map);

/// Which elements of an output are right, with the borders of the tiles; about 20 lines.
std::string map_text(const ResultMap& map, const TextOptions& options);
std::string map_svg(const ResultMap& map);

/// The worst request of a source line: which lanes meet in which bank of shared memory, or which
/// sectors of global memory they touch. "" where the record does not tell where the lanes lay.
std::string access_text(const LineAccess& access, const TextOptions& options);
std::string access_svg(const LineAccess& access);

/// The time of a performance item beside what it is compared with: baseline, thresholds, roof. ""
/// where nothing was measured.
std::string time_text(const Item& item, const TextOptions& options);
std::string time_svg(const Item& item);

}  // namespace tessera
