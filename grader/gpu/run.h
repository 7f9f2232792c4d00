// Correctness runs on a GPU: launches in a child process, with guard bands around every buffer and
// every input verified afterwards.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/finding.h"
#include "common/metric.h"
#include "grader/gpu/device.h"
#include "grader/gpu/kernel.h"

namespace tessera {

enum class GpuStatus {
  completed,     // there may still be findings about stray stores
  trapped,       // the kernel ended with an error, which the finding names
  timeout,       // killed at the time limit
  not_launched,  // bad-launch
  infra,         // the grader or the machine failed: nothing is known about the kernel
};

/// One launch on fresh memory.
struct GpuRun {
  GpuKernel kernel;
  std::vector<GpuBuffer> buffers;
  double time_limit_ms = 10'000;  // of the launch; loading and copying are not counted
};

struct GpuRunResult {
  GpuStatus status = GpuStatus::infra;
  Text message;                   // why a run did not complete
  Text hint;                      // what to do about it
  std::vector<Finding> findings;  // the message as a finding; out-of-bounds, input-modified
  /// What each buffer holds after a completed run; empty for an input that did not change.
  std::vector<std::vector<std::byte>> contents;
  /// registers_per_thread, theoretical_occupancy (percent), static_shared_bytes and
  /// dynamic_shared_bytes, if the kernel could be loaded.
  Metrics metrics;
  double milliseconds = 0;  // of the launch; one sample of a cold kernel, not a measurement
  std::string output;       // device printf, the first MiB of all runs of one process together
};

/// Does `runs` in order, each with the module loaded anew, on memory that holds nothing of the run
/// before. They share a child process until a run traps or exceeds its time limit; the next run
/// gets a new one. Findings name `source_file`. Throws std::invalid_argument for a relocation
/// outside an argument or to a buffer that does not exist, and std::runtime_error if no process can
/// be started.
std::vector<GpuRunResult> run_on_gpu(const GpuDevice& device, std::span<const GpuRun> runs,
                                     const std::string& source_file = "kernel.cu");

}  // namespace tessera
