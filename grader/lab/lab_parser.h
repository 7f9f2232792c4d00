// lab.yaml and hidden.yaml -> Lab.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The recipes and devices that a lab.yaml may name.
struct KnownNames {
  std::filesystem::path datasets;  // the folder of the recipes
  std::vector<std::string> cards;  // devices that have a profile; none: every name is accepted
};

/// Reads `file` (a lab.yaml) into `lab`, whose id and directory are set. Returns the first mistake.
std::optional<Error> parse_lab(const std::filesystem::path& file, const KnownNames& known,
                               Lab& lab);

/// Reads from `file` only what a lab computes: operation and element. Returns the first mistake.
std::optional<Error> parse_operation(const std::filesystem::path& file, Lab& lab);

/// Appends the cases of `file` (a hidden.yaml). Returns the first mistake.
std::optional<Error> parse_hidden(const std::filesystem::path& file,
                                  const std::filesystem::path& datasets, Lab& lab);

}  // namespace tessera
