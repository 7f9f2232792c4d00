// Work in a forked child that goes on beside this process and can be stopped at any moment.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "common/memory_file.h"

namespace tessera {

struct ForkedResult {
  bool ok = false;      // the work returned; else `printed` ends with what it threw
  int signal = 0;       // that killed it, or 0
  std::string printed;  // standard output and error, in the order they were written
  std::string answer;   // what the work returned
};

/// The child is in a process group of its own, so that Ctrl-C reaches this process alone; it blocks
/// no signal, and ends with this process. Fork where no other thread runs: a child has but one.
class ForkedWork {
 public:
  /// Starts `work`. Throws std::system_error where there is no process or memory for it.
  explicit ForkedWork(const std::function<std::string()>& work);
  /// Kills the child with what it has started, and waits for its end.
  ~ForkedWork();
  ForkedWork(const ForkedWork&) = delete;
  ForkedWork& operator=(const ForkedWork&) = delete;

  /// The result once the child has ended, nothing before; does not wait.
  std::optional<ForkedResult> result();

 private:
  MemoryFile printed_;
  MemoryFile answer_;
  pid_t child_ = -1;    // -1 once it is known to have ended
  int ended_with_ = 0;  // as waitpid says it
};

}  // namespace tessera
