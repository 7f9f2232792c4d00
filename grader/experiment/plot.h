// Figures -> an SVG, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>

#include "common/expected.h"
#include "grader/experiment/experiment.h"
#include "grader/experiment/value.h"

namespace tessera {

/// A program for gnuplot that writes the plot as SVG to standard output; "" if there are fewer than
/// two points to draw. Card, driver, date and seed stand below the title. A plot of times shows
/// measured times, or modelled ones if there are none, and says which.
std::string gnuplot_program(const Experiment& experiment, const Plot& plot, const Results& results);

/// Whether gnuplot is in PATH.
bool can_plot();

/// The SVG that gnuplot makes of the program. The Error says what gnuplot complained about.
Expected<std::string> draw(const std::string& program);

}  // namespace tessera
