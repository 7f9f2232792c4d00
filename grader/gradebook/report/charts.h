// Histograms of a class as SVG, for a page. Each contains a description in text for readers who
// cannot see the picture.
#pragma once

#include <vector>

#include "grader/report/html/markup.h"

namespace tessera {

/// A histogram with counts above the bars and points below; `counts` are of equal parts of 0 to
/// `full`. Empty if there are none.
Html histogram_chart(const std::vector<int>& counts, double full);

/// A histogram without numbers, as high as a line of text.
Html small_histogram(const std::vector<int>& counts, double full);

}  // namespace tessera
