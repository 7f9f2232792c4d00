// What the tests of all pictures check.
#pragma once

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace tessera {

TextOptions ascii_options();

/// `text` without its escape sequences.
std::string without_colors(const std::string& text);

/// Expects few lines, of at most 80 columns and without blanks at their end.
void expect_fits_a_screen(const std::string& text);

/// Expects that no coordinate is NaN, infinite or in scientific notation.
void expect_no_odd_numbers(const std::string& svg);

/// Expects that all are well-formed, have a title, a description and no ids, and need nothing from
/// elsewhere. Skips the test if xmllint is missing.
void expect_svgs(const std::vector<std::string>& svgs);

}  // namespace tessera
