// Diagrams of a class as SVG, to stand in a page. Their texts are in them, for those who do not see
// the picture too.
#pragma once

#include <string>
#include <vector>

#include "grader/gradebook/report/class_report.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// Bars with their counts above and points below; `counts` are of equal parts of 0 to `full`.
Html histogram_chart(const std::vector<int>& counts, double full);

/// The same without numbers, as high as a line of text.
Html small_histogram(const std::vector<int>& counts, double full);

/// Kernels from the best to the worst, their values on a logarithmic axis, limits as lines. Nothing
/// where no kernel was timed.
Html time_chart(const TimeScatter& scatter);

}  // namespace tessera
