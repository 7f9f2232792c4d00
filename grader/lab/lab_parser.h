// lab.yaml and hidden.yaml -> Lab.
#pragma once

#include <filesystem>
#include <optional>

#include "common/expected.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Reads `file` (a lab.yaml) into `lab`, whose id and directory are set. Returns the first mistake.
std::optional<Error> parse_lab(const std::filesystem::path& file,
                               const std::filesystem::path& datasets, Lab& lab);

/// Appends the cases of `file` (a hidden.yaml). Returns the first mistake.
std::optional<Error> parse_hidden(const std::filesystem::path& file,
                                  const std::filesystem::path& datasets, Lab& lab);

}  // namespace tessera
