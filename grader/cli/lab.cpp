// tessera lab: writes, proves and publishes labs.
#include "grader/cli/lab.h"

#include "grader/cli/lab_check.h"

namespace tessera {

std::vector<Command> add_lab_commands(CLI::App& app) {
  CLI::App* group = app.add_subcommand("lab", "For instructors: write, prove and publish labs");
  group->require_subcommand(1);
  return {add_lab_new_command(*group),     add_lab_skeleton_command(*group),
          add_lab_show_command(*group),    add_lab_check_command(*group),
          add_lab_release_command(*group), add_lab_calibrate_command(*group)};
}

}  // namespace tessera
