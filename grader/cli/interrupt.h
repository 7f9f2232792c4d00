// Handles Ctrl-C during work.
#pragma once

#include <functional>
#include <thread>

namespace tessera {

/// While it lives, SIGINT and SIGTERM call `on_interrupt` on a thread of its own, which then ends
/// the program with kInterrupted; work in progress is abandoned. Create it before any other thread,
/// so that the others inherit the blocked signals.
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
