// A separate process that does the GPU's work. A context that a kernel has broken, or a kernel that
// never ends, ends with the process, which holds nothing of the grader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/expected.h"
#include "grader/gpu/deadline.h"
#include "grader/gpu/worker/messages.h"
#include "grader/gpu/worker/shared_arena.h"

namespace tessera {

/// The path of the program to start, installed beside `tessera`.
std::filesystem::path gpu_worker_beside(const std::filesystem::path& tessera);

struct WorkerEnd {
  enum class End {
    exited,   // with `status`
    crashed,  // by the signal `status`
    overdue,  // killed at the deadline
  };
  End end = End::exited;
  int status = 0;
  double milliseconds = 0;  // from its start to its end
  std::string output;       // standard output, its first MiB: a kernel's printf
  std::string log;          // standard error, its first MiB: asserts, errors of the driver
};

/// The most bytes that a worker may write to standard output; the rest is cut off.
inline constexpr std::uint64_t kMostWorkerOutput = std::uint64_t{256} << 20;

/// The exit status of a worker that failed with an exception, which its log names; 0: the job is
/// done.
inline constexpr int kWorkerFailed = 125;

/// A job with its shared memory.
class WorkerTask {
 public:
  /// Copies the contents of the job's buffers. Throws std::system_error if there is no memory.
  explicit WorkerTask(GpuJob job);

  const GpuJob& job() const { return job_; }
  const SharedArena& results() const { return results_; }
  Deadline& deadline() { return results_.at<Deadline>(0); }

  /// Starts `program` and waits for its end. Kills it when the deadline is over, which is at first
  /// in `patience_ms` and which the worker moves, and in any case after `most_ms`. Returns an Error
  /// if the process cannot be started.
  Expected<WorkerEnd> run(const std::filesystem::path& program, double patience_ms, double most_ms);

 private:
  GpuJob job_;
  SharedArena inputs_;
  SharedArena results_;
};

}  // namespace tessera
