// Where the kit's sources are, for tests that read its labs and pages.
#pragma once

#include <filesystem>

namespace tessera {

inline const std::filesystem::path kRoot = TESSERA_SOURCE_DIR;

}  // namespace tessera
