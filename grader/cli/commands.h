// The commands of `tessera`: each adds itself to the command line and returns what runs it.
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

/// lab: what an instructor does.
std::vector<Command> add_lab_commands(CLI::App& app);

/// batch and gradebook; none where the build left the gradebook out.
std::vector<Command> add_gradebook_commands(CLI::App& app);

/// bench, lab, batch and gradebook; none in the program that students get.
std::vector<Command> add_staff_commands(CLI::App& app);

/// Where the program tessera-staff stands beside, it takes over from the students'.
void become_staff_program(char** arguments);

/// What to do where `command` is one of staff's that this program has not; "" for any other word.
std::string staff_command_hint(std::string_view command);

}  // namespace tessera
