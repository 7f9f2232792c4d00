#include "grader/cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <utility>

#include "grader/cli/exit_status.h"

namespace tessera {
namespace {

constexpr int kFinished = SIGUSR1;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, kFinished);
  return signals;
}

void watch(const std::function<void()>& on_interrupt) {
  const sigset_t signals = watched_signals();
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  if (signal == kFinished) return;
  on_interrupt();
  _exit(kInterrupted);
}

}  // namespace

InterruptWatch::InterruptWatch(std::function<void()> on_interrupt) {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A fork while the thread starts may leave a lock of the allocator held in the child:
  // AddressSanitizer's does not survive that.
  std::promise<void> running;
  const std::future<void> started = running.get_future();
  thread_ =
      std::thread([callback = std::move(on_interrupt), running = std::move(running)]() mutable {
        running.set_value();
        watch(callback);
      });
  started.wait();
}

InterruptWatch::~InterruptWatch() {
  pthread_kill(thread_.native_handle(), kFinished);
  thread_.join();
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace tessera
