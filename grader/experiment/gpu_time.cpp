#include "grader/experiment/gpu_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/experiment/number_text.h"
#include "grader/experiment/simulated.h"
#include "grader/gpu/timing.h"
#include "grader/gpu/transfer.h"
#include "grader/judge/gpu_launch.h"
#include "grader/judge/launch_call.h"

namespace tessera {
namespace {

/// Launches of 0.3 s and more get three samples, without an interval: `--all` must end within
/// minutes. Seven would still bound the median with 97 % confidence.
constexpr std::size_t kLeastSamples = 3;
constexpr double kPatienceMs = 1000;
constexpr double kMostSpread = 0.05;  // without a note

Value value_of(const std::string& metric, const ShapeData& data, const GradeOptions& options) {
  Value value;
  value.metric = metric;
  value.shape = data.shape;
  value.device = options.gpu->profile.name;
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

/// What is wrong with an output of `inputs`, or "".
std::string mistake_in(const Experiment& experiment, const ShapeData& data,
                       const std::vector<HostMatrix>& inputs, const std::vector<std::byte>& output,
                       const GradeOptions& options) {
  const Lab lab = plain_lab(experiment);
  const OperandData& last = data.operands.back();
  const Case one = case_of(lab, {}, data.shape);
  const Comparison comparison =
      verify_output(lab, {}, one, inputs, with_contents(last, output), last.operand.name, options);
  return comparison.findings.empty() ? "" : comparison.findings.front().message;
}

std::string mistake_in(const Experiment& experiment, const TimingRequest& request,
                       const TimingResult& result, const ShapeData& data,
                       const GradeOptions& options) {
  if (result.outputs.empty()) return "no output came back to be verified";
  const TimedOutput& output = result.outputs.back();
  std::vector<HostMatrix> inputs;
  for (std::size_t i = 0; i + 1 < data.operands.size(); ++i)
    inputs.push_back(with_contents(data.operands[i], timed_input(request, i, output.salt)));
  return mistake_in(experiment, data, inputs, output.contents.back(), options);
}

/// The candidate's times that no other process disturbed.
std::vector<double> samples_of(const TimingResult& result) {
  std::vector<double> samples;
  for (const TimingPair& pair : result.pairs) {
    if (!pair.shared) samples.push_back(pair.candidate.milliseconds);
  }
  return samples;
}

/// Whether the times can be told. Times that vary, or are too few for an interval, are told with a
/// note: no mark depends on them.
bool can_be_told(const TimingStatistics& statistics, const std::vector<double>& samples) {
  if (statistics.verdict != TimingVerdict::unstable) return true;
  return statistics.instability == Instability::times && samples.size() >= kLeastSamples;
}

std::string note_on(const TimingResult& result, std::size_t samples) {
  const TimingStatistics& statistics = result.statistics;
  std::string note = fmt::format("{} samples of {} launches", samples, result.candidate_launches);
  if (statistics.clock_mhz > 0) note += fmt::format(" at {:.0f} MHz", statistics.clock_mhz);
  const bool vary = statistics.spread > kMostSpread;
  return vary ? fmt::format("{}; times vary by {:.0f} %", note, 100 * statistics.spread) : note;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void set_interval(Value& value, std::vector<double> samples) {
  std::ranges::sort(samples);
  value.number = median_of(samples);
  const std::size_t rank = median_rank(samples.size());
  if (rank == 0) return;
  value.low = samples[rank - 1];
  value.high = samples[samples.size() - rank];
}

}  // namespace

Expected<ShapeData> make_shape(const Experiment& experiment, int shape,
                               const GradeOptions& options) {
  const Lab lab = plain_lab(experiment);
  auto operands = make_operands(lab, case_of(lab, {}, shape), options.seed, shape_number(shape));
  if (!operands) return operands.error();
  ShapeData data{shape, std::move(*operands), {}};
  if (options.gpu) data.buffers = gpu_buffers(data.operands);
  return data;
}

std::variant<GpuWork, std::string> gpu_work(const Variant& variant, const Subject* subject,
                                            const ShapeData& data, const GradeOptions& options) {
  if (subject == nullptr) return CublasSgemm{data.shape, data.shape, data.shape};
  const Case one = case_of(subject->lab, variant, data.shape);
  const auto launched = call_launch(subject->lab, subject->program, one, options);
  if (!std::holds_alternative<LaunchShape>(launched)) return "`launch` does not answer";
  GpuKernel kernel = gpu_kernel(subject->lab, subject->program, subject->module,
                                std::get<LaunchShape>(launched), one, data.operands);
  if (const auto percent = variant.setting("carveout")) kernel.carveout = whole_in(*percent);
  return kernel;
}

std::vector<Value> time_variant(const Experiment& experiment, const GpuWork& work,
                                const std::optional<GpuWork>& baseline, const ShapeData& data,
                                const GradeOptions& options) {
  TimingRequest request;
  request.device = *options.gpu;
  request.candidate = work;
  request.baseline = baseline;
  request.buffers = data.buffers;
  request.variation =
      experiment.element == Element::float32 ? Variation::signs_float32 : Variation::signs_int32;
  request.least_pairs = kLeastSamples;
  request.patience_ms = kPatienceMs;
  request.outputs = 1;
  request.seed = options.seed;
  request.cache_dir = options.cache_dir;
  const TimingResult result = time_on_gpu(request);

  Value time = value_of("time_ms", data, options);
  const auto unmeasured = [&](std::string word, std::string note) {
    time.text = std::move(word);
    time.note = std::move(note);
    return std::vector<Value>{time};
  };
  if (result.status != GpuStatus::completed)
    return unmeasured(word_of(result.status), result.message);
  const TimingStatistics& statistics = result.statistics;
  const std::vector<double> samples = samples_of(result);
  if (!can_be_told(statistics, samples)) return unmeasured("unstable", why_unstable(statistics));
  const std::string mistake = mistake_in(experiment, request, result, data, options);
  if (!mistake.empty()) return unmeasured("wrong", mistake);

  set_interval(time, samples);
  time.note = note_on(result, samples.size());
  std::vector<Value> values = {time};
  add_rates(experiment, data.shape, time, values);
  if (baseline && statistics.verdict != TimingVerdict::unstable) {
    Value ratio = value_of("ratio", data, options);
    ratio.number = statistics.median;
    ratio.low = statistics.low;
    ratio.high = statistics.high;
    ratio.note = fmt::format("{} interleaved pairs", statistics.kept);
    values.push_back(std::move(ratio));
  }
  return values;
}

std::vector<Value> transfer_variant(const Experiment& experiment, const Variant& variant,
                                    const GpuWork& work, const ShapeData& data,
                                    const GradeOptions& options) {
  TransferRequest request;
  request.device = *options.gpu;
  request.work = work;
  request.buffers = data.buffers;
  request.memory = *memory_kind_from(variant.setting("memory").value_or("pageable"));
  const TransferResult result = transfer_on_gpu(request);
  std::vector<Value> values;
  const auto unmeasured = [&](std::string word, std::string note) {
    Value value = value_of("end_to_end_ms", data, options);
    value.text = std::move(word);
    value.note = std::move(note);
    return std::vector<Value>{value};
  };
  if (result.status != GpuStatus::completed || result.samples.empty())
    return unmeasured(word_of(result.status), result.message);
  std::vector<HostMatrix> inputs;
  for (std::size_t i = 0; i + 1 < data.operands.size(); ++i)
    inputs.push_back(data.operands[i].host);
  const std::string mistake = mistake_in(experiment, data, inputs, result.contents.back(), options);
  if (!mistake.empty()) return unmeasured("wrong", mistake);
  const auto add = [&](const char* metric, double TransferSample::*part) {
    if (!experiment.measures(metric)) return;
    Value value = value_of(metric, data, options);
    std::vector<double> samples;
    for (const TransferSample& sample : result.samples) samples.push_back(sample.*part);
    set_interval(value, std::move(samples));
    value.note = fmt::format("{} times", result.samples.size());
    values.push_back(std::move(value));
  };
  add("to_device_ms", &TransferSample::to_device);
  add("launch_ms", &TransferSample::launch);
  add("to_host_ms", &TransferSample::to_host);
  add("end_to_end_ms", &TransferSample::end_to_end);
  return values;
}

}  // namespace tessera
