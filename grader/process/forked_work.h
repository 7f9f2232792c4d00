// Runs work in a forked child, beside this process, that can be stopped at any moment.
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

/// The child is in a process group of its own, so that Ctrl-C reaches only this process; it blocks
/// no signal, and ends with this process. Use it while no other thread runs: a forked child has
/// only one.
class ForkedWork {
 public:
  /// Starts `work`. Throws std::system_error if there is no process or memory for it.
  explicit ForkedWork(const std::function<std::string()>& work);
  /// Kills the child with what it has started, and waits for its end.
  ~ForkedWork();
  ForkedWork(const ForkedWork&) = delete;
  ForkedWork& operator=(const ForkedWork&) = delete;

  /// The result if the child has ended, else nothing; does not wait.
  std::optional<ForkedResult> result();

 private:
  MemoryFile printed_;
  MemoryFile answer_;
  pid_t child_ = -1;    // -1 once it is known to have ended
  int ended_with_ = 0;  // as waitpid says it
};

}  // namespace tessera
