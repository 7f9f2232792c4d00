#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <exception>
#include <vector>

#include "common/resource_failure.h"
#include "grader/cli/commands.h"
#include "grader/cli/locations.h"

namespace {

using namespace tessera;

int run(int argc, char** argv) {
  CLI::App app("Tessera: a lab kit and auto-grader for CUDA courses", "tessera");
  app.set_version_flag("--version", TESSERA_VERSION);
  app.require_subcommand(1);
  std::vector<Command> commands = {add_grade_command(app), add_check_command(app),
                                   add_bench_command(app), add_doctor_command(app)};
  std::ranges::move(add_lab_commands(app), std::back_inserter(commands));
  std::ranges::move(add_gradebook_commands(app), std::back_inserter(commands));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kUsage;
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& exception) {
    return infrastructure_error(Error{.message = text_without_paths(exception)});
  }
}
