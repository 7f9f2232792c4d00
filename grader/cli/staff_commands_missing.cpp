// What stands for staff_commands.cpp in the program that students get.
#include "grader/cli/commands.h"

namespace tessera {

std::vector<Command> add_staff_commands(CLI::App&) {
  return {};
}

}  // namespace tessera
