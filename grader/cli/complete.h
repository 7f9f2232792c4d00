// Completes command lines for shells; called by grader/package/completion/.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>
#include <string>
#include <vector>

#include "grader/cli/exit_status.h"

namespace tessera {

struct Completion {
  std::string word;
  std::string help;
};

/// What may replace the last of `words`, the words after the program's name: a command, an option,
/// or a value, if the option lists its values or `values` has them under its name. Nothing if a
/// shell's own completion of files is as good.
std::vector<Completion> completions(const CLI::App& app, const std::vector<std::string>& words,
                                    const std::map<std::string, std::vector<std::string>>& values);

/// Prints the completions for the labs and devices that are here, one a line: word, tab, help.
ExitStatus print_completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace tessera
