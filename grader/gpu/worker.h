// A process of its own that does the GPU's work: a context that a kernel has broken, or a kernel
// that never ends, goes with it, and it holds nothing of the grader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/expected.h"
#include "grader/gpu/deadline.h"
#include "grader/gpu/worker/messages.h"
#include "grader/gpu/worker/shared_arena.h"

namespace tessera {

/// The program to start, as it is installed beside `tessera`.
std::filesystem::path gpu_worker_beside(const std::filesystem::path& tessera);

struct WorkerEnd {
  enum class End {
    exited,   // with `status`
    crashed,  // by the signal `status`
    overdue,  // killed at the deadline
  };
  End end = End::exited;
  int status = 0;
  double milliseconds = 0;  // that it lived
  std::string output;       // standard output, its first MiB: a kernel's printf
  std::string log;          // standard error, likewise: a kernel's assert, the driver's complaints
};

/// Bytes that a worker's standard output may have; the rest is cut off.
inline constexpr std::uint64_t kMostWorkerOutput = std::uint64_t{256} << 20;

/// Exit statuses of the program besides 0, all is done.
inline constexpr int kWorkerFailed = 125;  // an exception, which its log names

/// A job with its shared memory.
class WorkerTask {
 public:
  /// Copies the contents of the job's buffers. Throws std::system_error where the machine gives no
  /// memory.
  explicit WorkerTask(GpuJob job);

  const GpuJob& job() const { return job_; }
  const SharedArena& results() const { return results_; }
  Deadline& deadline() { return results_.at<Deadline>(0); }

  /// Starts `program` and waits for its end. Kills it once the deadline, which the worker moves, is
  /// over, and in any case after `most_ms`. The Error is for a process that could not be started.
  Expected<WorkerEnd> run(const std::filesystem::path& program, double patience_ms, double most_ms);

 private:
  GpuJob job_;
  SharedArena inputs_;
  SharedArena results_;
};

}  // namespace tessera
