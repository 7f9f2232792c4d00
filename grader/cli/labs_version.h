// Checks labs/VERSION, which says which Tessera released the labs: labs and program are updated
// separately.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/expected.h"

namespace tessera {

/// An error if the labs are of a newer Tessera than `own`, which may not know what they need. Labs
/// without the file pass: only releases have it, and an instructor's labs come with the program.
std::optional<Error> check_labs_version(const std::filesystem::path& labs,
                                        const std::string& own = TESSERA_VERSION);

}  // namespace tessera
