// The commands of `tessera lab`; see commands.h.
#pragma once

#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/locations.h"

namespace tessera {

Command add_lab_new_command(CLI::App& group);
Command add_lab_show_command(CLI::App& group);
Command add_lab_skeleton_command(CLI::App& group);
Command add_lab_release_command(CLI::App& group);
Command add_lab_calibrate_command(CLI::App& group);

/// The folder that holds common/ and grader/, from which this program was built.
std::filesystem::path kit_folder(const Locations& locations);

}  // namespace tessera
