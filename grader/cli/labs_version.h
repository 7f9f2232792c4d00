// Labs and program are updated apart: labs/VERSION says which Tessera released them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/expected.h"

namespace tessera {

/// The Error where the labs are of a newer Tessera than `own`: they may need what it does not know.
/// Labs without the file are an instructor's, who has one version.
std::optional<Error> check_labs_version(const std::filesystem::path& labs,
                                        const std::string& own = TESSERA_VERSION);

}  // namespace tessera
