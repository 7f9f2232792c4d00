// How much time another process may take for what it was asked.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "common/stopwatch.h"

namespace tessera {

/// It counts processor time, so that a busy machine takes nothing from an honest process. A process
/// that only waits uses it up too, sixteen times as slowly.
class Allowance {
 public:
  /// From now on, of the child `process`.
  Allowance(pid_t process, double cpu_seconds);

  /// Whether something is left. A process that has ended has all of it.
  bool lasts() const;

 private:
  double cpu_used() const;

  pid_t process_;
  double cpu_seconds_;
  double cpu_before_;
  Stopwatch stopwatch_;
};

}  // namespace tessera
