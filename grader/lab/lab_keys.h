// The words that lab.yaml knows: one list a mapping, used by the parser and by the reference page's
// test.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// A mapping of lab.yaml: how messages call it, and its keys.
struct KeyList {
  std::string what;
  std::vector<std::string> keys;
};

inline const KeyList kLabKeys{"lab",
                              {"title", "operation", "element", "kernel", "arguments", "parameters",
                               "correctness", "checks", "technique", "performance"}};
inline const KeyList kOperationKeys{"operation", {"name", "extents", "inputs", "output", "work"}};
inline const KeyList kHiddenKeys{"file of hidden cases", {"cases"}};
inline const KeyList kCorrectnessKeys{"correctness section", {"points", "cases"}};
inline const KeyList kCaseKeys{"case",
                               {"data", "pitch", "counted"}};  // and every extent and parameter
inline const KeyList kChecksKeys{"checks section", {"points", "forbid"}};
inline const KeyList kTechniqueKeys{"technique item",
                                    {"metric", "at_least", "at_most", "scales_with", "lesson",
                                     "naive", "good", "hint", "points", "readers"}};
inline const KeyList kPerformanceKeys{"performance section", {"shape", "thresholds"}};
inline const KeyList kThresholdKeys{"threshold",
                                    {"metric", "over", "zero", "full", "devices", "points"}};
inline const KeyList kRangeKeys{"device's range", {"zero", "full"}};

/// The largest numbers that points, and the value of a metric, may have.
inline constexpr double kMaxPoints = 1e6;
inline constexpr double kMaxMetric = 1e15;

/// All lists of keys above.
std::vector<KeyList> all_key_lists();

}  // namespace tessera
