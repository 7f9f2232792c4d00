// What a GPU measured, as values: a number if the times allow one, else a word and the reason.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/experiment/experiment.h"
#include "grader/experiment/value.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/transfer.h"

namespace tessera {

/// The fewest times that give a median; an interval takes 7.
inline constexpr std::size_t kLeastTimes = 3;

/// Where values were measured.
struct ValuePlace {
  int shape = 0;
  std::string device;  // "NVIDIA H200"
};

Value without_number(Metric metric, std::string word, std::string note, const ValuePlace& place);

/// time_ms first; if it has a number, also the rates that the experiment wants, and the ratio with
/// its interval if a baseline was interleaved. Times that vary by more than 5 %, or are too few for
/// an interval, get a note instead of being refused, since no mark depends on them. Words are
/// "no launch", "wrong", "timeout", "failed" and "unstable" (the GPU was shared, its clock moved,
/// or hardly any sample is left).
std::vector<Value> timed_values(const Experiment& experiment, const TimingResult& result,
                                const ValuePlace& place);

/// Medians of those of to_device_ms, launch_ms, to_host_ms and end_to_end_ms that the experiment
/// wants; or end_to_end_ms with a word.
std::vector<Value> transfer_values(const Experiment& experiment, const TransferResult& result,
                                   const ValuePlace& place);

}  // namespace tessera
