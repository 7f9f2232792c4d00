#include "grader/experiment/timed_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/experiment/simulated.h"

namespace tessera {
namespace {

constexpr double kMostSpread = 0.05;  // a larger spread gets a note

Value value_of(Metric metric, const ValuePlace& place) {
  Value value;
  value.metric = metric;
  value.shape = place.shape;
  value.device = place.device;
  return value;
}

std::string word_of(GpuStatus status) {
  switch (status) {
    case GpuStatus::not_launched:
      return "no launch";
    case GpuStatus::infra:
      return "failed";
    case GpuStatus::timeout:
      return "timeout";
    default:
      return "wrong";
  }
}

std::string why_unstable(const TimingStatistics& statistics) {
  switch (statistics.instability) {
    case Instability::shared:
      return "another process used the GPU";
    case Instability::clock:
      return "the GPU's clock moved by more than 5 %";
    default:
      return "too few samples";
  }
}

/// The candidate's times while no other process used the GPU.
std::vector<double> samples_of(const TimingResult& result) {
  std::vector<double> samples;
  for (const TimingPair& pair : result.pairs) {
    if (!pair.shared) samples.push_back(pair.candidate.milliseconds);
  }
  return samples;
}

bool has_median(const TimingStatistics& statistics, const std::vector<double>& samples) {
  if (statistics.verdict != TimingVerdict::unstable) return true;
  return statistics.instability == Instability::times && samples.size() >= kLeastTimes;
}

std::string note_on(const TimingResult& result, std::size_t samples) {
  const TimingStatistics& statistics = result.statistics;
  std::string note = fmt::format("{} samples of {} launches", samples, result.candidate_launches);
  if (statistics.clock_mhz > 0) note += fmt::format(" at {:.0f} MHz", statistics.clock_mhz);
  const bool vary = statistics.spread > kMostSpread;
  return vary ? fmt::format("{}; times vary by {:.0f} %", note, 100 * statistics.spread) : note;
}

void set_interval(Value& value, std::vector<double> samples) {
  std::ranges::sort(samples);
  value.number = samples[samples.size() / 2];
  const std::size_t rank = median_rank(samples.size());
  if (rank == 0) return;
  value.low = samples[rank - 1];
  value.high = samples[samples.size() - rank];
}

}  // namespace

Value without_number(Metric metric, std::string word, std::string note, const ValuePlace& place) {
  Value value = value_of(metric, place);
  value.text = std::move(word);
  value.note = std::move(note);
  return value;
}

std::vector<Value> timed_values(const Experiment& experiment, const TimingResult& result,
                                const ValuePlace& place) {
  if (result.status != GpuStatus::completed)
    return {without_number(Metric::time_ms, word_of(result.status), result.message, place)};
  const TimingStatistics& statistics = result.statistics;
  const std::vector<double> samples = samples_of(result);
  if (!has_median(statistics, samples))
    return {without_number(Metric::time_ms, "unstable", why_unstable(statistics), place)};
  Value time = value_of(Metric::time_ms, place);
  set_interval(time, samples);
  time.note = note_on(result, samples.size());
  std::vector<Value> values = {time};
  add_rates(experiment, place.shape, time, values);
  if (statistics.verdict != TimingVerdict::unstable && statistics.baseline_ms > 0) {
    Value ratio = value_of(Metric::ratio, place);
    ratio.number = statistics.median;
    ratio.low = statistics.low;
    ratio.high = statistics.high;
    ratio.note = fmt::format("{} interleaved pairs", statistics.kept);
    values.push_back(std::move(ratio));
  }
  return values;
}

std::vector<Value> transfer_values(const Experiment& experiment, const TransferResult& result,
                                   const ValuePlace& place) {
  if (result.status != GpuStatus::completed)
    return {without_number(Metric::end_to_end_ms, word_of(result.status), result.message, place)};
  if (result.samples.empty())
    return {without_number(Metric::end_to_end_ms, "unstable", "too few samples", place)};
  std::vector<Value> values;
  const auto add = [&](Metric metric, double TransferSample::*part) {
    if (!experiment.measures(metric)) return;
    Value value = value_of(metric, place);
    std::vector<double> samples;
    for (const TransferSample& sample : result.samples) samples.push_back(sample.*part);
    set_interval(value, std::move(samples));
    value.note = fmt::format("{} times", result.samples.size());
    values.push_back(std::move(value));
  };
  add(Metric::to_device_ms, &TransferSample::to_device);
  add(Metric::launch_ms, &TransferSample::launch);
  add(Metric::to_host_ms, &TransferSample::to_host);
  add(Metric::end_to_end_ms, &TransferSample::end_to_end);
  return values;
}

}  // namespace tessera
