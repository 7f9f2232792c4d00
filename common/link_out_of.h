// Whether a link leads from a file out of the folder in which it is looked for.
#pragma once

#include <filesystem>
#include <optional>

#include "common/expected.h"

namespace tessera {

/// The error that `file` is a link, or lies behind one, that leads out of `folder`; nothing where
/// it does not, or where there is no such file. Where `folder` itself is a link, it is followed.
std::optional<Error> link_out_of(const std::filesystem::path& folder,
                                 const std::filesystem::path& file);

}  // namespace tessera
