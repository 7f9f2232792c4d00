// solutions/NN-name/mutants.yaml: mutants that lose nothing, and why that is right.
//
//     accepted_mutants:
//       - {id: guard-3f9a02, reason: "the sum of an empty tile is zero either way"}
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "common/expected.h"

namespace tessera {

/// By id, the reason. Empty where there is no such file. Errors: a key that is unknown or missing,
/// an id twice, an empty reason, each with its line.
Expected<std::map<std::string, std::string>> read_accepted_mutants(
    const std::filesystem::path& file);

}  // namespace tessera
