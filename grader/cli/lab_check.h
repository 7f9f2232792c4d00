// tessera lab check: proves labs.
#pragma once

#include "grader/cli/commands.h"

namespace tessera {

Command add_lab_check_command(CLI::App& lab_group);

}  // namespace tessera
