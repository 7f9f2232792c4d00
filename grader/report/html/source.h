// The submission's source with findings and memory accesses beside its lines.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"
#include "grader/report/causes.h"
#include "grader/report/html/markup.h"
#include "grader/report/html/words.h"

namespace tessera {

/// Whether the finding's line is one of the record's source.
bool is_in_source(const Finding& finding, const Record& record);

/// Whether the line is one of the record's source.
bool is_in_source(int line, const Record& record);

/// A list of the lines, each with its number and its accesses, and below it its findings and how
/// the lanes of its worst request lie. A file that is too long for a page is cut to its beginning
/// and the surroundings of lines with notes, and the list says what it leaves out. Nothing if the
/// record has no source.
Html source_listing(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors);

/// A line of code, cut if it is too long, with what stands at `column` (a byte, from 1; 0: nothing)
/// marked.
Html code_line(std::string_view line, int column);

}  // namespace tessera
