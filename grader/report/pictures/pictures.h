// Pictures of what went wrong, from the record alone: for a terminal, and as SVG for a page.
//
// Texts have lines of at most 80 columns, each with its line end, indented like the messages above
// them. They say the same without colour: what differs has different characters too. An SVG is a
// single element without ids, scripts or styles, so that a page can hold several (pictures/svg.h).
#pragma once

#include <string>

#include "common/line_profile.h"
#include "grader/judge/compare/result_map.h"
#include "grader/judge/points/record.h"
#include "grader/report/report.h"

namespace tessera {

/// Whether a picture of the map shows more than a sentence would, since its elements differ.
bool is_worth_drawing(const ResultMap& map);

/// Shows which elements of an output are right, with the borders of the tiles, in about 20 lines.
std::string map_text(const ResultMap& map, const TextOptions& options);
std::string map_svg(const ResultMap& map);

/// The worst request of a source line: which lanes meet in which bank of shared memory, or which
/// sectors of global memory they touch. "" if the record does not say where the lanes lay.
std::string access_text(const LineAccess& access, const TextOptions& options);
std::string access_svg(const LineAccess& access);

/// The time of a performance item beside what it is compared with: baseline, thresholds, roof. ""
/// if nothing was measured.
std::string time_text(const Item& item, const TextOptions& options);
std::string time_svg(const Item& item);

}  // namespace tessera
