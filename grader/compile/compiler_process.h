// Compilers in processes of their own: `tessera-compiler` (server/) is started at the first
// compilation and kept for the next, one process for each thread that compiles at a time.
#pragma once

#include <filesystem>
#include <string>

#include "common/expected.h"
#include "grader/compile/compiler_messages.h"
#include "grader/process/child_process.h"

namespace tessera {

struct CompilerRun {
  ChildResult child;    // how the compiler's process ended, and its output
  std::string library;  // "nvrtc 13.0"; empty for Clang
};

/// Sends `request` and `task` to a server, which the program `program` is, and waits for the
/// result. If the server dies, it is started again once. The Error is for what is not the source's
/// fault. Several threads may call this at a time.
Expected<CompilerRun> run_compiler(const std::filesystem::path& program,
                                   const CompilerRequest& request, const CompilerTask& task);

}  // namespace tessera
