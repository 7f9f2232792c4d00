#include "grader/judge/run/performance.h"

#include <fmt/format.h>

#include "common/device_storage.h"
#include "common/numbers.h"
#include "common/seed.h"
#include "grader/gpu/timing.h"
#include "grader/judge/points/roof.h"
#include "grader/judge/points/threshold.h"
#include "grader/judge/run/baseline.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/gpu_launch.h"
#include "grader/judge/run/launch_call.h"

namespace tessera {
namespace {

/// The two ends of a threshold in the quantity that is timed: a ratio over a baseline, or
/// milliseconds.
TimingThreshold timed(const Threshold& threshold, const Threshold::Range& range, double work) {
  if (threshold.metric != Metric::gflops) return {range.full, range.zero};
  const double scale = 2 * work / 1e6;  // ms = 2 work / (GFLOP/s 1e6)
  return {scale / range.full, scale / range.zero};
}

Detail whole(double number) {
  return fmt::format("{:.0f}", number);
}

Detail brief(double number) {
  return short_number(number);
}

Text why_unstable(const TimingStatistics& statistics) {
  const std::size_t pairs = statistics.kept + statistics.dropped;
  switch (statistics.instability) {
    case Instability::shared:
      return say(Phrase::unstable_shared, statistics.shared, pairs);
    case Instability::clock:
      return say(Phrase::unstable_clock, statistics.dropped, pairs);
    default:
      return say(Phrase::unstable_times, whole(100 * statistics.spread));
  }
}

class Measurement {
 public:
  Measurement(const Lab& lab, const Program& program, const GradeOptions& options)
      : lab_(lab), program_(program), options_(options) {}

  void measure(const Threshold& threshold, Item& item) {
    const auto range = range_on(threshold, options_.machine.gpu->profile.name);
    if (!range) return;  // it stays deferred, and says which card it needs
    const auto result = take(threshold, timed(threshold, *range, work()), kTimedOutputs, item);
    if (result) judge(threshold, *result, item);
  }

  std::optional<MetricInterval> interval_of(const Threshold& threshold, Item& item) {
    const auto result = take(threshold, std::nullopt, 1, item);
    if (!result) return std::nullopt;
    const TimingStatistics& statistics = result->statistics;
    MetricInterval interval{statistics.median, statistics.low, statistics.high};
    if (threshold.metric == Metric::gflops) {
      interval = {gflops_at(statistics.median), gflops_at(statistics.high),
                  gflops_at(statistics.low)};
    }
    interval.time_ms = statistics.candidate_ms;
    interval.baseline_ms = statistics.baseline_ms;
    interval.clock_mhz = statistics.clock_mhz;
    interval.pairs = statistics.kept;
    return interval;
  }

 private:
  /// A stable measurement whose outputs are right. If there is none, `item` says why.
  std::optional<TimingResult> take(const Threshold& threshold,
                                   const std::optional<TimingThreshold>& ends, std::size_t outputs,
                                   Item& item) {
    if (!ready(item)) return std::nullopt;
    TimingRequest request = base_request();
    request.threshold = ends;
    request.outputs = outputs;
    if (!set_baseline(threshold, request, item)) return std::nullopt;
    TimingResult result = time_on_gpu(request);
    if (result.status != GpuStatus::completed) {
      item.findings = std::move(result.findings);
      end_item(item, status_of(result.status), result.message, result.hint);
      return std::nullopt;
    }
    if (!verified(request, result, item)) return std::nullopt;
    if (result.statistics.verdict == TimingVerdict::unstable) {
      end_item(item, Status::deferred, why_unstable(result.statistics), Phrase::unstable_hint);
      return std::nullopt;
    }
    return result;
  }

  DataSeed seed() const { return {options_.seed, kPerformanceNumber}; }

  CaseContext context() const { return {lab_, program_, case_, options_}; }

  double work() const { return lab_.operation->work(lab_.performance_shape); }
  double gflops_at(double milliseconds) const { return 2 * work() / (milliseconds * 1e6); }

  /// Makes the case that is timed, its operands and its launch once; false if that fails, and
  /// `item` says why.
  bool ready(Item& item) {
    if (!operands_.empty()) return true;
    const Expected<Case> timed_case = performance_case(lab_, options_.kit.datasets);
    if (!timed_case) return end_item(item, Status::infra, timed_case.error().str()), false;
    case_ = *timed_case;
    auto operands = make_operands(lab_, case_, seed());
    if (!operands) return end_item(item, Status::infra, operands.error().str()), false;
    const auto launched = call_launch(context());
    if (!std::holds_alternative<LaunchShape>(launched))
      return end_item(item, Status::fail, Phrase::no_launch_shape), false;
    launch_ = std::get<LaunchShape>(launched);
    operands_ = std::move(*operands);
    return true;
  }

  TimingRequest base_request() const {
    TimingRequest request;
    request.device = *options_.machine.gpu;
    request.candidate = gpu_kernel(context(), launch_, operands_);
    request.buffers = gpu_buffers(operands_);
    request.variation = lab_.inputs != Storage::same       ? Variation::signs_float16
                        : lab_.element == Element::float32 ? Variation::signs_float32
                                                           : Variation::signs_int32;
    request.seed = random_number();
    request.compiler = options_.compiler;
    return request;
  }

  bool set_baseline(const Threshold& threshold, TimingRequest& request, Item& item) {
    if (threshold.metric == Metric::fraction_of_cublas) {
      if (!lab_.operation->is_product() || lab_.element != Element::float32)
        return end_item(item, Status::infra, Phrase::cublas_float32), false;
      request.baseline = CublasProduct{.m = operands_[2].host.height(),
                                       .n = operands_[2].host.width(),
                                       .k = operands_[0].host.width(),
                                       .inputs = lab_.inputs};
    }
    if (threshold.metric != Metric::speedup) return true;
    auto found = find_baseline(threshold.over, options_);
    if (const Text* reason = std::get_if<Text>(&found))
      return end_item(item, Status::deferred, *reason), false;
    const Baseline& baseline = std::get<Baseline>(found);
    Case baseline_case = case_;
    baseline_case.parameters = baseline.lab.performance_parameters;
    const CaseContext context{baseline.lab, baseline.program, baseline_case, options_};
    const auto launched = call_launch(context);
    if (!std::holds_alternative<LaunchShape>(launched))
      return end_item(item, Status::infra, say(Phrase::no_baseline_launch, Name{threshold.over})),
             false;
    request.baseline = gpu_kernel(context, std::get<LaunchShape>(launched), operands_);
    return true;
  }

  bool verified(const TimingRequest& request, const TimingResult& result, Item& item) const {
    TimedInputs inputs(request, operands_);
    HostMatrix after = operands_.back().host;
    for (const TimedOutput& output : result.outputs) {
      from_device(output.contents.back(), after);
      const Comparison comparison = verify_output(context(), inputs.before(output.salt), after,
                                                  operands_.back().operand.name);
      if (comparison.findings.empty()) continue;
      item.findings = comparison.findings;
      item.map = comparison.map;
      if (item.map) set_tiles(*item.map, launch_);
      end_item(item, Status::fail, Phrase::timed_launch_wrong + item.findings[0].message,
               item.findings[0].hint);
      return false;
    }
    return true;
  }

  void judge(const Threshold& threshold, const TimingResult& result, Item& item) const {
    const TimingStatistics& statistics = result.statistics;
    const double gflops = gflops_at(statistics.candidate_ms);
    const double value =
        threshold.metric == Metric::gflops ? gflops_at(statistics.deciding) : statistics.deciding;
    item.metrics = result.metrics;
    item.metrics[Metric::time_ms] = statistics.candidate_ms;
    item.metrics[Metric::clock_mhz] = statistics.clock_mhz;
    if (lab_.operation->is_product()) item.metrics[Metric::gflops] = gflops;
    if (statistics.baseline_ms > 0) item.metrics[Metric::baseline_ms] = statistics.baseline_ms;
    item.metrics[threshold.metric] = value;
    item.message = message(threshold, result);
    if (item.goal) item.goal->roof = roof_of(lab_, options_.machine.gpu->profile);
    award(item, value, threshold, options_.machine.gpu->profile.name);
  }

  Text message(const Threshold& threshold, const TimingResult& result) const {
    const TimingStatistics& statistics = result.statistics;
    const Detail low = brief(statistics.low), high = brief(statistics.high);
    const Detail time = brief(statistics.candidate_ms);
    Text text;
    if (statistics.baseline_ms > 0) {
      const Name other{threshold.over.empty() ? "cuBLAS" : threshold.over};
      text = say(Phrase::times_as_fast, brief(statistics.median), other, low, high, statistics.kept,
                 time, brief(statistics.baseline_ms));
    } else {
      text = say(Phrase::takes_time, time, low, high, statistics.kept);
    }
    if (lab_.operation->is_product()) {
      const double gflops = gflops_at(statistics.candidate_ms);
      const double peak = peak_gflops(lab_, options_.machine.gpu->profile);
      text += say(Phrase::with_gflops, Detail(grouped(static_cast<std::uint64_t>(gflops))));
      if (peak > 0) {
        const Phrase of = lab_.inputs == Storage::same ? Phrase::of_peak : Phrase::of_tensor_peak;
        text += say(of, whole(100 * gflops / peak));
      }
    }
    text += say(Phrase::at_clock, whole(statistics.clock_mhz));
    if (statistics.close) text += Phrase::close_to_threshold;
    if (statistics.erratic) {
      text +=
          say(Phrase::erratic_times, whole(100 * statistics.spread), brief(statistics.deciding));
    }
    return text;
  }

  const Lab& lab_;
  const Program& program_;
  const GradeOptions& options_;
  Case case_;
  LaunchShape launch_;
  std::vector<OperandData> operands_;
};

}  // namespace

std::variant<MetricInterval, Item> measure_metric(const Lab& lab, const Program& program,
                                                  const Threshold& threshold,
                                                  const GradeOptions& options) {
  Item item;
  const auto interval = Measurement(lab, program, options).interval_of(threshold, item);
  if (!interval) return item;
  return *interval;
}

void measure_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                         std::vector<Item>& items) {
  Measurement measurement(lab, program, options);
  for_each_waiting(lab, items, [&](const Threshold& threshold, Item& item) {
    if (!threshold.is_modelled()) measurement.measure(threshold, item);
  });
}

}  // namespace tessera
