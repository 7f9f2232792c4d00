// The names of people as readers see them.
#pragma once

#include <string>

#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// The name on one line, without what would control a terminal; a login, address or number if there
/// is no name.
std::string display_name(const Identity& person);

/// display_name() and what distinguishes its owner from others of the same name: "Doe, Jane (17)".
std::string distinct_name(const Identity& person);

}  // namespace tessera
