// Whether a file is reached through a link that leads out of its folder.
#pragma once

#include <filesystem>
#include <optional>

#include "common/expected.h"

namespace tessera {

/// The error that `file` is a link, or is reached through a link, that leads out of `folder`;
/// nothing if it does not, or if there is no such file. If `folder` itself is a link, it is
/// followed.
std::optional<Error> link_out_of(const std::filesystem::path& folder,
                                 const std::filesystem::path& file);

}  // namespace tessera
