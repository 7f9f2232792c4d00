// The program in a handout, so that students compile nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The folders that hold the programs for students: that of `program` if it comes from the package
/// for staff, else those that `make package` filled in `kit`. May be empty.
std::vector<std::filesystem::path> student_programs(const std::filesystem::path& program,
                                                    const std::filesystem::path& kit);

/// The path in a handout of the program for a machine ("x86_64", as `uname -m` says).
std::filesystem::path handout_program(const std::string& machine);

/// Copies the programs of the folder `from` into the handout. Errors: a program is missing, or is
/// for a machine that handouts do not support.
std::optional<Error> copy_program(const std::filesystem::path& from,
                                  const std::filesystem::path& handout);

}  // namespace tessera
