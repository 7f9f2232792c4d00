// Diagrams of a class as SVG, for a page. Each contains a description in text for readers who
// cannot see the picture.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/report/class_report.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// A histogram with counts above the bars and points below; `counts` are of equal parts of 0 to
/// `full`.
Html histogram_chart(const std::vector<int>& counts, double full);

/// A histogram without numbers, as high as a line of text.
Html small_histogram(const std::vector<int>& counts, double full);

/// A chart of the kernels from best to worst, with their values on a logarithmic axis and limits as
/// lines. Empty if no kernel was timed.
Html time_chart(const TimeScatter& scatter);

}  // namespace tessera
