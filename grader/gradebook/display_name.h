// What a reader calls somebody.
#pragma once

#include <string>

#include "grader/gradebook/intake/intake.h"

namespace tessera {

/// The name as one line that does nothing to a terminal, or what else is known of somebody who has
/// none.
std::string display_name(const Identity& person);

/// display_name() and what tells its owner from others of the name: "Doe, Jane (17)".
std::string told_apart(const Identity& person);

}  // namespace tessera
