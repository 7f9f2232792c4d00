// The program that a handout brings, so that students compile nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Folders that hold the programs for students: that of `program`, where it is the package's for
/// staff; else those that `make package` filled in `kit`. None where there are none.
std::vector<std::filesystem::path> student_programs(const std::filesystem::path& program,
                                                    const std::filesystem::path& kit);

/// Where a handout has the program for a machine ("x86_64", as `uname -m` says), relative to it.
std::filesystem::path handout_program(const std::string& machine);

/// Copies the programs of the folder `from` there. Errors: one is missing, it is for no Linux that
/// handouts know.
std::optional<Error> copy_program(const std::filesystem::path& from,
                                  const std::filesystem::path& handout);

}  // namespace tessera
