// The keys that lab.yaml may have, a list for each kind of mapping; for the parser and for the test
// of the reference page.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// A kind of mapping in lab.yaml: its name in messages, and its keys.
struct KeyList {
  std::string what;
  std::vector<std::string> keys;
};

inline const KeyList kLabKeys{
    "lab",
    {"title", "operation", "element", "compute_capability", "kernel", "arguments", "parameters",
     "correctness", "checks", "technique", "performance"}};
inline const KeyList kOperationKeys{"operation", {"name", "extents", "inputs", "output", "work"}};
inline const KeyList kHiddenKeys{"file of hidden cases", {"cases"}};
inline const KeyList kCorrectnessKeys{"correctness section", {"points", "cases"}};
inline const KeyList kCaseKeys{"case",
                               {"data", "padding", "counted"}};  // and every extent and parameter
inline const KeyList kChecksKeys{"checks section", {"points", "forbid"}};
inline const KeyList kTechniqueKeys{"technique item",
                                    {"metric", "at_least", "at_most", "scales_with", "lesson",
                                     "naive", "good", "hint", "points", "readers"}};
inline const KeyList kPerformanceKeys{"performance section", {"shape", "thresholds"}};
inline const KeyList kThresholdKeys{"threshold",
                                    {"metric", "over", "zero", "full", "devices", "points"}};
inline const KeyList kRangeKeys{"device's range", {"zero", "full"}};

/// The largest points, and the largest value of a metric.
inline constexpr double kMaxPoints = 1e6;
inline constexpr double kMaxMetric = 1e15;

/// All lists of keys above.
std::vector<KeyList> all_key_lists();

}  // namespace tessera
