// The rows of experiment.yaml.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <vector>

#include "common/expected.h"
#include "common/yaml_mapping.h"
#include "grader/experiment/experiment.h"

namespace tessera {

/// Reads the list under `rows`. `top` is the whole file's mapping, whose `file` and `arguments` are
/// the defaults of the rows; `experiment` has its operation and element already.
Expected<std::vector<Row>> read_rows(const std::filesystem::path& file, const YamlMapping& top,
                                     const YAML::Node& node, const Experiment& experiment,
                                     const std::filesystem::path& labs);

}  // namespace tessera
