// The commands of `tessera lab`; see commands.h.
#pragma once

#include "grader/cli/commands.h"

namespace tessera {

Command add_lab_new_command(CLI::App& group);
Command add_lab_show_command(CLI::App& group);
Command add_lab_skeleton_command(CLI::App& group);
Command add_lab_release_command(CLI::App& group);
Command add_lab_calibrate_command(CLI::App& group);

}  // namespace tessera
