// What a process that compiles may do: read the compiler's own files and the device headers,
// compute, and write to the streams that it has.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// `given` and the system's programs and libraries: all files that a compiler reads.
std::vector<std::filesystem::path> readable_to_compilers(std::vector<std::filesystem::path> given);

struct CompilingRights {
  /// Folders and files that may be read and executed beside the system's programs and libraries.
  std::vector<std::filesystem::path> readable;
  bool executes = false;  // may become another program, by exec; never makes a second process
  bool threads = false;   // may start some, which somebody else counts (process/file_gate.h)
};

/// Gives up all other rights, for good and for every program that it becomes. Where the kernel has
/// no Landlock the filter of system calls (seccomp) alone stays, and files can be read. Returns why
/// the machine does not offer even that. The process has one thread.
std::optional<std::string> confine_to_compiling(const CompilingRights& rights);

}  // namespace tessera
