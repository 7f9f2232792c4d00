// Correctness runs on a GPU: launches in a child process, between guard bands, with every input
// verified after.
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
  completed,     // findings may still tell of stray stores
  trapped,       // the kernel ended with an error: the finding says which
  timeout,       // killed at the time limit
  not_launched,  // bad-launch
  infra,         // our fault or the machine's: nothing is known of the kernel
};

/// One launch on fresh memory.
struct GpuRun {
  GpuKernel kernel;
  std::vector<GpuBuffer> buffers;
  double time_limit_ms = 10'000;  // of the launch; loading and copying are not counted
};

struct GpuRunResult {
  GpuStatus status = GpuStatus::infra;
  Text message;  // what ended a run that did not complete, and what to do
  Text hint;
  std::vector<Finding> findings;  // the same as a finding; out-of-bounds, input-modified
  /// What each buffer holds after a completed run; empty for an input that did not change.
  std::vector<std::vector<std::byte>> contents;
  /// registers_per_thread, theoretical_occupancy (percent), static_shared_bytes and
  /// dynamic_shared_bytes, wherever the kernel could be loaded
  Metrics metrics;
  double milliseconds = 0;  // of the launch; one sample of a cold kernel, not a measurement
  std::string output;       // device printf, the first MiB of all runs of one process together
};

/// Does `runs` in order, each with the module loaded anew, on memory that holds nothing of the last
/// one. They share a child process until one traps or runs out of time; the next gets a new one.
/// Findings are told in `source_file`. Throws std::invalid_argument for a relocation outside an
/// argument or to a buffer that is not there, and what failures of resources throw.
std::vector<GpuRunResult> run_on_gpu(const GpuDevice& device, std::span<const GpuRun> runs,
                                     const std::string& source_file = "kernel.cu");

}  // namespace tessera
