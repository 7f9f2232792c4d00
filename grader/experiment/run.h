// Runs an experiment, value by value.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/experiment/experiment.h"
#include "grader/experiment/value.h"
#include "grader/judge/judge.h"

namespace tessera {

/// What a run does now, for showing its progress.
struct RunSteps {
  std::size_t done = 0;
  std::size_t all = 0;
  std::string what;  // "RR BLOCK=16, n = 4096"
};

struct RunOptions {
  /// With `gpu`, times are measured there; without it kernels have only modelled times. `device` is
  /// simulated. With `simulate` off there is no simulator: no counters, and no check of every
  /// access before a kernel is timed.
  GradeOptions grade;
  std::function<void(const RunSteps&)> on_step;
  std::function<void(const Value&)> on_value;
};

/// Whether a run makes the operands of the timed shapes, because something is measured.
bool makes_operands(const Experiment& experiment, const RunOptions& options);

/// The shapes that the model leaves out because their operands exceed 256 MB; empty if the run
/// models no times.
std::vector<int> shapes_left_out(const Experiment& experiment, const RunOptions& options);

/// Runs all variants: first what needs no clock, then shape by shape from the smallest. A variant
/// that is wrong or cannot be built is reported as such and never timed. Errors: a device profile
/// is missing.
std::optional<Error> run_experiment(const Experiment& experiment, const RunOptions& options);

}  // namespace tessera
