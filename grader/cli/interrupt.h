// Ctrl-C while work is going on.
#pragma once

#include <functional>
#include <thread>

namespace tessera {

/// While it lives, SIGINT and SIGTERM call `on_interrupt` on a thread of its own, which then ends
/// the program with kInterrupted: work in progress is left where it stands. Make it before any
/// other thread, so that all of them leave the signals to it.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::function<void()> on_interrupt);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  std::thread thread_;
};

}  // namespace tessera
