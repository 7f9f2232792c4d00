// solutions/NN-name/mutants.yaml: mutants that lose nothing, references of other labs that win
// otherwise than `lab check` expects, and why that is right.
//
//     accepted_mutants:
//       - {id: guard-3f9a02, reason: "the sum of an empty tile is zero either way"}
//     accepted_references:
//       - {lab: 01-naive, reason: "this lab repeats it"}
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "common/expected.h"

namespace tessera {

struct Accepted {
  std::map<std::string, std::string> mutants;     // by id, the reason
  std::map<std::string, std::string> references;  // by lab
};

/// Empty where there is no such file. Errors: a key that is unknown or missing, an id or a lab
/// twice, an empty reason, each with its line.
Expected<Accepted> read_accepted(const std::filesystem::path& file);

}  // namespace tessera
