// What a compiling process may do: read the compiler's own files and the device headers, compute,
// and write to the streams that it has.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// `given` and the system's programs and libraries: all files that a compiler may read.
std::vector<std::filesystem::path> readable_to_compilers(std::vector<std::filesystem::path> given);

struct CompilingRights {
  /// Folders and files that may be read and executed in addition to the system's.
  std::vector<std::filesystem::path> readable;
  bool executes = false;  // may become another program by exec, but never make a second process
  bool threads = false;   // may start threads, which the file gate counts (process/file_gate.h)
};

/// Gives up all other rights, for good and for every program that the process becomes. If the
/// kernel has no Landlock, only the filter of system calls (seccomp) remains, and files can be
/// read. Returns the reason if the machine does not even offer that. The process must have only one
/// thread.
std::optional<std::string> confine_to_compiling(const CompilingRights& rights);

}  // namespace tessera
