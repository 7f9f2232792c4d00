// The shapes of a run: applies --shapes, and checks that this machine has memory for them.
#pragma once

#include <optional>
#include <vector>

#include "common/expected.h"
#include "grader/experiment/run.h"

namespace tessera {

/// Replaces the experiments' shapes by `shapes`, ascending and each once; an empty list changes
/// nothing. The Error names a shape that the kernels of an experiment do not accept.
std::optional<Error> set_shapes(std::vector<int> shapes, std::vector<Experiment>& experiments);

/// Why the operands of one of the experiment's shapes do not fit on this machine, or nothing.
std::optional<Error> check_memory(const Experiment& experiment, const RunOptions& options);

}  // namespace tessera
