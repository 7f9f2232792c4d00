// Replaces the gradebook if the build found none of its libraries.
#include <iostream>

#include "grader/cli/commands.h"

namespace tessera {
namespace {

Command explained(CLI::App& app, const char* name, const char* text) {
  CLI::App* command = app.add_subcommand(name, text);
  command->allow_extras();
  return {command, [] {
            std::cerr << "tessera: built without the gradebook; install libsqlitecpp-dev, "
                         "libarchive-dev and libcsv-dev (./setup.sh does), then build again\n";
            return kInfrastructure;
          }};
}

}  // namespace

std::vector<Command> add_gradebook_commands(CLI::App& app) {
  return {explained(app, "batch", "Not in this build: grades a class"),
          explained(app, "gradebook", "Not in this build: marks of a class")};
}

}  // namespace tessera
