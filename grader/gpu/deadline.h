// The time by which a worker must have finished.
#pragma once

#include <cstdint>

namespace tessera {

/// Lives in memory that two processes share; the worker moves it. A new one has already passed.
class Deadline {
 public:
  /// Moves the deadline to `milliseconds` from now.
  void set(double milliseconds);
  bool is_over() const;

 private:
  alignas(8) std::int64_t nanoseconds_ = 0;  // of the monotonic clock, which all processes share
};

}  // namespace tessera
