// Compilers in processes of their own: `tessera-compiler` (server/) is started at the first
// compilation and kept for the next ones, as many of them as threads compile at a time.
#pragma once

#include <filesystem>
#include <string>

#include "common/expected.h"
#include "grader/compile/compiler_messages.h"
#include "grader/process/child_process.h"

namespace tessera {

struct CompilerRun {
  ChildResult child;    // as the compiler's process ended, and what it wrote
  std::string library;  // "nvrtc 13.0"; empty for Clang
};

/// Has `task` done as `request` says, by the server that `program` is. A server that dies is
/// started anew once. The Error is for what is no fault of the source. May be called by many
/// threads at a time.
Expected<CompilerRun> run_compiler(const std::filesystem::path& program,
                                   const CompilerRequest& request, const CompilerTask& task);

}  // namespace tessera
