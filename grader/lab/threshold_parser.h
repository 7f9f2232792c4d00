// The thresholds of lab.yaml.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Reads the list under `thresholds`. `lab` has its id, directory, operation and element already;
/// the other labs, which may be baselines, are in the folder above. `cards` as in load_lab().
Expected<std::vector<Threshold>> read_thresholds(const std::filesystem::path& file,
                                                 const YAML::Node& node, const Lab& lab,
                                                 const std::vector<std::string>& cards);

}  // namespace tessera
