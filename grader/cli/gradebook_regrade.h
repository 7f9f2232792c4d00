// tessera gradebook regrade
#pragma once

#include "grader/cli/commands.h"

namespace tessera {

/// Adds itself to `gradebook`.
Command add_regrade_command(CLI::App& gradebook);

}  // namespace tessera
