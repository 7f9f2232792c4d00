// Shows on standard error how far long work has come.
#pragma once

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>

namespace tessera {

/// On a terminal one line that is rewritten, and cleared at the end; elsewhere a line every ten
/// seconds.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() {
    if (terminal_ && printed_) std::cerr << "\r\033[K" << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& line) {
    const auto now = Clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10)))
      return;
    last_ = now;
    printed_ = true;
    std::cerr << (terminal_ ? "\r\033[K" + line : line + "\n") << std::flush;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool printed_ = false;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tessera
