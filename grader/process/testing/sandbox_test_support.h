// Shared by the tests of sandboxes.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "grader/process/sandbox.h"

namespace tessera {

inline const std::atomic<bool>& never() {
  static const std::atomic<bool> value = false;
  return value;
}

inline const Isolation& this_machine() {
  static const Isolation isolation = available_isolation();
  return isolation;
}

inline bool has_bubblewrap() {
  return this_machine().tier == IsolationTier::bubblewrap;
}

inline std::string why_not() {
  return this_machine().reason;
}

inline SandboxRequest shell(const std::string& script) {
  SandboxRequest request;
  request.command = {"/bin/sh", "-c", script};
  return request;
}

/// Whether `condition` becomes true within five seconds.
template <class Condition>
bool becomes_true(Condition condition) {
  for (int i = 0; i < 500 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

/// A word by which a shell and its forked processes can be found.
class Marker {
 public:
  Marker() : word_(fmt::format("tessera-marker-{}-{}", getpid(), ++count())) {}

  /// A command that does nothing, for the head of a script.
  std::string comment() const { return ": " + word_ + "; "; }

  /// How many processes of the machine have the word in their command line.
  int processes() const {
    int found = 0;
    std::error_code unused;
    for (const auto& folder : std::filesystem::directory_iterator("/proc", unused)) {
      std::ostringstream command;
      command << std::ifstream(folder.path() / "cmdline").rdbuf();
      if (command.str().find(word_) != std::string::npos) ++found;
    }
    return found;
  }

 private:
  static int& count() {
    static int value = 0;
    return value;
  }

  std::string word_;
};

}  // namespace tessera
