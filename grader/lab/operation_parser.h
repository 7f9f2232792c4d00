// The operation that a lab.yaml declares: `operation: {name: ..., extents: ..., ...}`.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <memory>

#include "common/expected.h"
#include "common/operation.h"

namespace tessera {

/// Reads the declaration. Errors: unknown or missing keys, a name twice, a side that is neither an
/// extent nor a whole number above 0, not exactly one output.
Expected<std::shared_ptr<const Operation>> read_operation_declaration(
    const std::filesystem::path& file, const YAML::Node& node);

}  // namespace tessera
