// Until when a worker may go on.
#pragma once

#include <cstdint>

namespace tessera {

/// Lives in memory that two processes share, and is moved by the worker. Over from the start.
class Deadline {
 public:
  /// `milliseconds` from now.
  void set(double milliseconds);
  bool is_over() const;

 private:
  alignas(8) std::int64_t nanoseconds_ = 0;  // of the monotonic clock, which all processes share
};

}  // namespace tessera
