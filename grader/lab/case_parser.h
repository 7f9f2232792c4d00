// Cases and shapes of lab.yaml and hidden.yaml.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/lab/lab.h"

namespace tessera {

/// A performance shape: extents and parameters, without data.
struct Shape {
  Extents extents;
  std::map<std::string, int> parameters;
};

/// Reads a performance shape. `lab` has its operation, element and parameters already.
Expected<Shape> read_shape(const std::filesystem::path& file, const YAML::Node& node,
                           const Lab& lab);

/// Reads the list under `cases`. `datasets` is the folder of the recipes.
Expected<std::vector<Case>> read_cases(const std::filesystem::path& file, const YAML::Node& node,
                                       const Lab& lab, const std::filesystem::path& datasets);

}  // namespace tessera
