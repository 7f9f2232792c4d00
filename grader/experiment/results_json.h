// Figures as JSON.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment/value.h"

namespace tessera {

/// A list with an object for each run: {"schema": "tessera.bench/1", "experiment", "date", "seed",
/// "driver", "compiler", "figures": [{"row", "settings", "shape", "metric", "value", ...}]}. A
/// missing value is null, and says why under "text" and "note".
std::string results_json(const std::vector<Results>& runs);

}  // namespace tessera
