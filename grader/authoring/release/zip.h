// A folder as a zip file, and back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/expected.h"

namespace tessera {

/// Whether this build can write zip files: it needs libarchive.
bool can_zip();

/// Writes every file below `folder`, with its mode, into the new zip `file`, as PREFIX/name, or as
/// name if the prefix is "". Returns what failed.
std::optional<Error> write_zip(const std::filesystem::path& folder, const std::string& prefix,
                               const std::filesystem::path& file);

/// Writes every file of the zip `file` below the folder `into`, with its mode. Returns what failed.
std::optional<Error> unpack_zip(const std::filesystem::path& file,
                                const std::filesystem::path& into);

}  // namespace tessera
