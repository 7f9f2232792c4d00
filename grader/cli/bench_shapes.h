// The shapes of a run: those of --shapes, and whether this machine has room for them.
#pragma once

#include <optional>
#include <vector>

#include "common/expected.h"
#include "grader/experiment/run.h"

namespace tessera {

/// Puts `shapes`, ascending and each once, in place of the experiments' own; none leave those. The
/// Error names a shape that the kernels of an experiment do not take.
std::optional<Error> set_shapes(std::vector<int> shapes, std::vector<Experiment>& experiments);

/// Why the operands of one of the experiment's shapes cannot be made on this machine, or nothing.
std::optional<Error> check_memory(const Experiment& experiment, const RunOptions& options);

}  // namespace tessera
