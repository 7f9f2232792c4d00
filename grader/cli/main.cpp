#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "common/resource_failure.h"
#include "common/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/complete.h"
#include "grader/cli/locations.h"

namespace {

using namespace tessera;

/// The complaint about the first word that names no command, or "".
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return "";
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    const auto found = std::ranges::find(names, std::string(argv[i]));
    if (found == names.end()) {
      if (std::string hint = staff_command_hint(argv[i]); at == &app && !hint.empty()) return hint;
      return fmt::format("no command '{}'{}; there are {}", argv[i], did_you_mean(argv[i], names),
                         fmt::join(names, ", "));
    }
    at = commands[static_cast<std::size_t>(found - names.begin())];
  }
  return "";
}

int run(int argc, char** argv) {
  become_staff_program(argv);
  CLI::App app("Tessera: a lab kit and auto-grader for CUDA courses", "tessera");
  app.set_version_flag("--version", TESSERA_VERSION TESSERA_COMMIT);
  app.require_subcommand(1);
  std::vector<Command> commands = {add_grade_command(app), add_check_command(app),
                                   add_doctor_command(app), add_start_command(app)};
  std::ranges::move(add_staff_commands(app), std::back_inserter(commands));
  if (argc > 1 && std::string(argv[1]) == "complete")
    return print_completions(app, {argv + 2, argv + argc});
  if (const std::string mistake = unknown_command(app, argc, argv); !mistake.empty())
    return usage_error(Error{.message = mistake});
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
