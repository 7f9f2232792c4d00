// The keys that experiment.yaml may have, a list for each kind of mapping; for the parser and for
// the test of the reference page.
#pragma once

#include "grader/lab/lab_keys.h"

namespace tessera {

inline const KeyList kExperimentKeys{
    "experiment",
    {"title", "question", "operation", "element", "multiple_of", "shapes", "simulated", "devices",
     "file", "arguments", "rows", "measure", "ratio", "plots", "reported"}};
inline const KeyList kRowKeys{
    "row",
    {"name", "kernel", "reference", "host", "library", "file", "arguments", "parameters", "threads",
     "memory", "carveout", "max_shape"}};
inline const KeyList kRatioKeys{"ratio", {"to", "of", "interleaved"}};
inline const KeyList kPlotKeys{"plot", {"name", "x", "y", "rows", "only", "shape", "log"}};
inline const KeyList kReportedKeys{"reported table", {"source", "device", "metric", "figures"}};
inline const KeyList kFigureKeys{"figure", {"row", "settings", "values"}};

/// All of the above.
inline std::vector<KeyList> experiment_key_lists() {
  return {kExperimentKeys, kRowKeys, kRatioKeys, kPlotKeys, kReportedKeys, kFigureKeys};
}

}  // namespace tessera
