// How much time another process may take for a request.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "common/stopwatch.h"

namespace tessera {

/// Counts processor time, so that a busy machine costs an honest process nothing. A process that
/// only waits uses it up too, sixteen times as slowly.
class Allowance {
 public:
  /// Starts now, for the child `process`.
  Allowance(pid_t process, double cpu_seconds);

  /// Whether some of it is left. For a process that has ended, always true.
  bool lasts() const;

 private:
  double cpu_used() const;

  pid_t process_;
  double cpu_seconds_;
  double cpu_before_;
  Stopwatch stopwatch_;
};

}  // namespace tessera
