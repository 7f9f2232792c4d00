// What a shell offers where a command line is not finished: grader/package/completion/ asks for it.
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

/// What may stand for the last of `words`, which are those behind the program's name: a command, an
/// option, or a value, where the option says which there are or `values` has them for its name.
/// Nothing where a shell's own completion of files is as good.
std::vector<Completion> completions(const CLI::App& app, const std::vector<std::string>& words,
                                    const std::map<std::string, std::vector<std::string>>& values);

/// Prints them for the labs and devices that are here: word, tab, help; one a line.
ExitStatus print_completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace tessera
