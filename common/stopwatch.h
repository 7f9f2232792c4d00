// A stopwatch for wall time.
#pragma once

#include <chrono>

namespace tessera {

/// Runs from its construction.
class Stopwatch {
 public:
  /// Wall time since the construction.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double milliseconds() const { return 1e3 * seconds(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tessera
