// solutions/NN-name/mutants.yaml: mutants that may lose nothing, references of other labs that may
// win more or less than `lab check` expects, and why.
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
  std::map<std::string, std::string> mutants;     // the reason by id
  std::map<std::string, std::string> references;  // the reason by lab
};

/// Reads the file; empty if there is none. Errors, with the line: a key that is unknown or missing,
/// an id or a lab that is there twice, an empty reason.
Expected<Accepted> read_accepted(const std::filesystem::path& file);

}  // namespace tessera
