// Finds an installed program.
#pragma once

#include <string>

namespace tessera {

/// The absolute path of `program` in PATH, or "". Relative folders in PATH are skipped; a `program`
/// with a slash is a path already.
std::string find_program(const std::string& program);

}  // namespace tessera
