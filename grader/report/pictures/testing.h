// What the tests of all pictures ask.
#pragma once

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace tessera {

TextOptions ascii_options();

/// `text` without its escape sequences.
std::string without_colors(const std::string& text);

/// Lines of at most 80 columns without blanks at their end, and not many of them.
void expect_fits_a_screen(const std::string& text);

/// That no coordinate is NaN, infinite or in scientific notation.
void expect_no_odd_numbers(const std::string& svg);

/// That all of them are well-formed, have a title, a description and no ids, and need nothing from
/// elsewhere. Says so where xmllint is missing and it cannot tell.
void expect_svgs(const std::vector<std::string>& svgs);

}  // namespace tessera
