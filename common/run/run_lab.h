// Runs common/run/run.sh as `make run` does.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "common/temporary_directory.h"

namespace tessera {

struct RunResult {
  int status = -1;
  std::string output;  // standard output and error
};

/// Runs a shell command; standard error is part of the output.
inline RunResult run_command(const std::string& command) {
  RunResult result;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
    result.output.append(chunk.data(), count);
  }
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return result;
}

/// Runs run.sh. `arguments` are words for the shell; `environment` precedes the command: "A=b C=d".
inline RunResult run_lab(const std::filesystem::path& build, const std::string& arguments,
                         const std::string& environment = "") {
  return run_command(environment + " '" TESSERA_SOURCE_DIR "/common/run/run.sh' --build '" +
                     build.string() + "' " + arguments);
}

}  // namespace tessera
