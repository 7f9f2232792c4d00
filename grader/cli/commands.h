// The commands of `tessera`: each function adds a command to the command line and returns how to
// run it.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/exit_status.h"

namespace tessera {

struct Command {
  CLI::App* app = nullptr;
  std::function<ExitStatus()> run;
};

Command add_grade_command(CLI::App& app);
Command add_check_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
Command add_doctor_command(CLI::App& app);
Command add_start_command(CLI::App& app);
Command add_batch_command(CLI::App& app);

/// Adds `lab`, the commands for instructors.
std::vector<Command> add_lab_commands(CLI::App& app);

/// Adds batch and gradebook; none if the build left the gradebook out.
std::vector<Command> add_gradebook_commands(CLI::App& app);

/// Adds bench, lab, batch and gradebook; none in the program that students get.
std::vector<Command> add_staff_commands(CLI::App& app);

/// Runs tessera-staff in place of the students' program if it stands beside it.
void become_staff_program(char** arguments);

/// What to do if `command` is a staff command that this program lacks; "" for any other word.
std::string staff_command_hint(std::string_view command);

}  // namespace tessera
