// A child process that does the GPU's work: a context that a kernel has broken, or a kernel that
// never ends, goes with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "common/expected.h"

namespace tessera {

/// Memory that a worker shares with the process that started it; zero at the start. Pages that
/// nobody touches cost nothing.
class SharedMemory {
 public:
  /// Throws std::bad_alloc.
  explicit SharedMemory(std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_;
  std::size_t size_;
};

/// One T in shared memory; T must need no destructor and no heap.
template <class T>
class Shared {
 public:
  Shared() : memory_(sizeof(T)), value_(new (memory_.data()) T()) {
    static_assert(std::is_trivially_destructible_v<T>);
  }

  T& operator*() { return *value_; }
  T* operator->() { return value_; }

 private:
  SharedMemory memory_;
  T* value_;
};

/// Until when the worker may go on; lives in shared memory and is moved by the worker.
class Deadline {
 public:
  /// `milliseconds` from now.
  void set(double milliseconds);
  bool is_over() const;

 private:
  std::atomic<std::int64_t> nanoseconds_{0};  // of the monotonic clock, which all processes share
};

struct WorkerEnd {
  enum class End {
    exited,   // with `status`
    crashed,  // by the signal `status`
    overdue,  // killed at the deadline
  };
  End end = End::exited;
  int status = 0;
  std::string output;  // standard output, its first MiB: a kernel's printf
  std::string log;     // standard error, likewise: a kernel's assert, the driver's complaints
};

/// "the process on the GPU ended with signal 11", and what it left in its log.
std::string how_it_ended(const WorkerEnd& worker);

/// Forks and runs `work` in the child, whose exit status is its return value (125 after an
/// exception); kills the child once `deadline`, which must be set, is over. The calling process
/// must never have used CUDA. The child must not use OpenMP. The Error is for a child that could
/// not be started.
Expected<WorkerEnd> run_worker(const std::function<int()>& work, const Deadline& deadline);

}  // namespace tessera
