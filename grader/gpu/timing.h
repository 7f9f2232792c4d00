// Timing on a GPU for verdicts: candidate and baseline interleaved, L2 cleared, launch latency
// excluded, clocks read, inputs new at every launch, outputs returned for verification.
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

/// The greatest number of timed launches whose outputs are returned.
inline constexpr std::size_t kTimedOutputs = 8;

struct TimingRequest {
  GpuDevice device;
  GpuWork candidate;
  std::optional<GpuWork> baseline;  // compared with the candidate, on the same buffers
  std::vector<GpuBuffer> buffers;
  /// How the inputs are changed before each launch. With Variation::none a kernel can recognise
  /// inputs that it has seen.
  Variation variation = Variation::signs_float32;
  std::optional<TimingThreshold> threshold;  // decides when sampling stops; see statistics.h
  /// For launches so slow that 21 pairs take too long: `patience_ms` after the first pair began,
  /// sampling stops as soon as there are `least_pairs`. 7 pairs still bound the median with 97 %
  /// confidence.
  std::size_t least_pairs = kFirstPairs;
  double patience_ms = 1e9;
  /// How many pairs' outputs are returned, drawn from all pairs; fewer if there are fewer pairs.
  std::size_t outputs = kTimedOutputs;
  /// Must not follow from anything that a kernel can compute, such as the seed of the grading.
  std::uint64_t seed = 0;
  /// For the whole measurement. Near the end of this time, sampling stops with 21 pairs or more.
  double time_limit_ms = 120'000;
  CompilerSetup compiler;  // for the grader's own kernels, which only NVRTC compiles
};

/// The outputs of one timed launch of the candidate, for verification.
struct TimedOutput {
  std::uint64_t salt = 0;                        // of its inputs: see set_timed_input()
  std::vector<std::vector<std::byte>> contents;  // per buffer; empty for inputs
};

struct TimingResult {
  GpuStatus status = GpuStatus::infra;
  Text message;  // if the status is not `completed`
  Text hint;
  std::vector<Finding> findings;
  TimingStatistics statistics;
  std::vector<TimingPair> pairs;  // in the order they were taken
  int candidate_launches = 0;     // in one sample, which is their mean
  int baseline_launches = 0;
  Metrics metrics;                   // as in GpuRunResult::metrics
  std::vector<TimedOutput> outputs;  // empty if the measurement was given up early
};

/// Measures in a child process. The status says whether the kernel failed; a baseline that fails is
/// `infra`. An interval without a verdict and an unsteady clock are not failures: see
/// TimingStatistics::verdict.
TimingResult time_on_gpu(const TimingRequest& request,
                         const std::string& source_file = "kernel.cu");

/// Sets `contents` to those of input `buffer` (an index) before the launch with `salt`.
void set_timed_input(const TimingRequest& request, std::size_t buffer, std::uint64_t salt,
                     std::vector<std::byte>& contents);

}  // namespace tessera
