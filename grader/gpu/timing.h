// Time on a GPU, for verdicts: candidate and baseline interleaved, L2 cleared, launch latency kept
// out, clocks read, inputs new at every launch, outputs handed back to be verified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/compile/compiler.h"
#include "grader/gpu/run.h"
#include "grader/gpu/statistics.h"
#include "grader/gpu/variation.h"

namespace tessera {

/// Timed launches whose outputs come back, at most.
inline constexpr std::size_t kTimedOutputs = 8;

struct TimingRequest {
  GpuDevice device;
  GpuWork candidate;
  std::optional<GpuWork> baseline;  // what it is measured against, on the same buffers
  std::vector<GpuBuffer> buffers;
  /// How the inputs are changed before each launch. With Variation::none a kernel may recognise
  /// them.
  Variation variation = Variation::signs_float32;
  std::optional<TimingThreshold> threshold;  // when to stop sampling; see statistics.h
  /// For launches so slow that 21 pairs take too long: `patience_ms` after the first began sampling
  /// stops as soon as there are `least_pairs`, of which 7 still bound the median with 97 %
  /// confidence.
  std::size_t least_pairs = kFirstPairs;
  double patience_ms = 1e9;
  /// How many launches' outputs come back: one of the last sample, the others at random.
  std::size_t outputs = kTimedOutputs;
  std::uint64_t seed = 0;  // not to be known before
  /// For everything; near its end 21 pairs or more must do.
  double time_limit_ms = 120'000;
  CompilerSetup compiler;  // for the grader's own kernels, which only NVRTC compiles
};

/// What one timed launch of the candidate left, for verification.
struct TimedOutput {
  std::uint64_t salt = 0;                        // of its inputs: see timed_buffer()
  std::vector<std::vector<std::byte>> contents;  // per buffer; empty for inputs
};

struct TimingResult {
  GpuStatus status = GpuStatus::infra;
  Text message;  // where the status is not `completed`
  Text hint;
  std::vector<Finding> findings;
  TimingStatistics statistics;
  std::vector<TimingPair> pairs;  // in the order they were taken
  int candidate_launches = 0;     // that one sample is the mean of
  int baseline_launches = 0;
  Metrics metrics;                   // as GpuRunResult::metrics
  std::vector<TimedOutput> outputs;  // none where the measurement was given up early
};

/// Measures in a child process. Where the kernel or the baseline fails, the status says so; a
/// baseline that fails is `infra`. An interval without verdict and a restless clock are no failure:
/// see TimingStatistics::verdict.
TimingResult time_on_gpu(const TimingRequest& request,
                         const std::string& source_file = "kernel.cu");

/// The contents of input `buffer` (an index) as the launch with `salt` found them.
std::vector<std::byte> timed_input(const TimingRequest& request, std::size_t buffer,
                                   std::uint64_t salt);

}  // namespace tessera
