// The submission's source with what was found, and what memory was asked for, beside its lines.
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

/// A list of the lines, each with its number, its accesses, and below it its findings and how the
/// lanes of its worst request lie. Of a file
/// that is too long for a page it holds the beginning and what surrounds the lines that something
/// is said of, and says what it leaves out. Nothing where the record has no source.
Html source_listing(const Record& record, const std::vector<Cause>& causes, const Anchors& anchors);

/// One line of code, cut where it is too long, with what stands at `column` (a byte, from 1; 0:
/// nothing) marked.
Html code_line(std::string_view line, int column);

}  // namespace tessera
